// A share with its n, paradigms and 95% interval: the formulas of grice.core.estimate and grice.core.distributions.

export interface Estimate { value: number; n: number; low: number | null; high: number | null; paradigms: number }

const Z = 1.959963984540054;
const LANCZOS = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const y = x - 1, t = y + 7.5;
  let sum = LANCZOS[0];
  for (let i = 1; i < 9; i++) sum += LANCZOS[i] / (y + i);
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}

const away = (value: number): number => (Math.abs(value) > 1e-300 ? value : 1e-300);

function incompleteBeta(a: number, b: number, x: number): number {
  if (x === 0 || x === 1) return x;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  let c = 1, d = 1 / away(1 - ((a + b) * x) / (a + 1)), found = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const step of [even, odd]) {
      d = 1 / away(1 + step * d);
      c = away(1 + step / c);
      found *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return (Math.exp(front) * found) / a;
}

const quantiles = new Map<number, number>();

/** The 97.5% quantile of Student's t. */
export function student(df: number): number {
  const known = quantiles.get(df);
  if (known !== undefined) return known;
  const below = (t: number): number => 1 - 0.5 * incompleteBeta(df / 2, 0.5, df / (df + t * t));
  let low = Z, high = 2 * Z;
  while (below(high) < 0.975) [low, high] = [high, 2 * high];
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (below(middle) < 0.975) low = middle;
    else high = middle;
  }
  quantiles.set(df, (low + high) / 2);
  return (low + high) / 2;
}

function score(share: number, n: number, z: number): [number, number] {
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return [share === 0 ? 0 : Math.max(0, middle - half), share === 1 ? 1 : Math.min(1, middle + half)];
}

/** The mean of values with the interval of their paradigms; `groups` has −1 for a row of none. */
export function mean(values: number[], groups: number[]): Estimate | null {
  const n = values.length;
  if (!n) return null;
  const sums = new Map<number, [number, number]>();
  let total = 0, named = 0, binary = true, least = 0;
  values.forEach((value, at) => {
    total += value;
    if (value !== 0 && value !== 1) binary = false;
    if (value < 0) least = -1;
    const group = groups[at] >= 0 ? groups[at] : -2 - at;
    if (group >= 0) named++;
    const sum = sums.get(group);
    if (sum) { sum[0] += value; sum[1]++; } else sums.set(group, [value, 1]);
  });
  const value = total / n, clusters = sums.size;
  const distinct = clusters - (n - named);
  const done = (low: number | null, high: number | null): Estimate => ({ value, n, low, high, paradigms: clusters });
  if (distinct === named && binary) return done(...score(value, n, Z));
  if (clusters < 2) return done(null, null);
  let squares = 0;
  for (const [above, below] of sums.values()) squares += (above - value * below) ** 2;
  const error = Math.sqrt((squares * clusters) / (clusters - 1)) / n;
  if (error <= 1e-12 * Math.abs(value)) {
    if (!binary) return done(value, value);
    const unlike = score(0, clusters, Z)[1];
    return done(value + (least - value) * unlike, value + (1 - value) * unlike);
  }
  const width = 1 - least, share = (value - least) / width;
  const [low, high] = score(share, share * (1 - share) * (width / error) ** 2, student(clusters - 1));
  return done(least + width * low, least + width * high);
}
