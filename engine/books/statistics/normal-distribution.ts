const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI);
/** From this `x` on, the continued fraction of the tail needs fewer terms than the series. */
const TAIL_FROM = 3;
const TERMS_MAX = 200;

const density = (x: number): number => Math.exp(-(x * x) / 2) / ROOT_OF_TWO_PI;

/**
 * Φ: the share of a standard normal distribution below `x`, to about 15 digits. Marsaglia's series near the middle, the
 * continued fraction of Mills' ratio in the tails (Abramowitz and Stegun 26.2.11 and 26.2.14).
 */
export function normalCdf(x: number): number {
  if (x < -TAIL_FROM) return tail(-x);
  if (x > TAIL_FROM) return 1 - tail(x);
  let term = x;
  let total = x;
  for (let n = 3; n < TERMS_MAX && Math.abs(term) > 1e-18; n += 2) {
    term *= (x * x) / n;
    total += term;
  }
  return 0.5 + total * density(x);
}

function tail(x: number): number {
  if (x > 40) return 0;
  let fraction = 0;
  for (let n = TERMS_MAX; n >= 1; n--) fraction = n / (x + fraction);
  return density(x) / (x + fraction);
}

/** From the crudest start, this many rounds of Halley's method converge fully. */
const ROUNDS = 12;

/** Φ⁻¹: the `x` below which the share `p` lies, `0 < p < 1`. Halley's method, starting from a bound of the tail. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`A share lies between 0 and 1, not at ${p}.`);
  if (p > 0.5) return -normalQuantile(1 - p);
  let x = -Math.sqrt(-2 * Math.log(2 * p));
  for (let round = 0; round < ROUNDS; round++) {
    const off = (normalCdf(x) - p) / density(x);
    x -= off / (1 + (x * off) / 2);
  }
  return x;
}
