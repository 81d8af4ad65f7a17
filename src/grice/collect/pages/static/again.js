"use strict";
// A waiting page looks again by itself.
window.setTimeout(() => window.location.reload(), 20000);
