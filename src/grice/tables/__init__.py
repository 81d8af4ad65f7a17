"""Tables, comparisons and exhibits, and the formats that they are printed in."""
