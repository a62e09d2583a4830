import { MONEY_PLACES } from '../../platform/decimal.ts';

/** Money and amounts in whole units of the ledger's last decimal place: exact, and fast enough for every bar. */
export type Units = bigint;

const UNIT = 10n ** BigInt(MONEY_PLACES);
/** Limit of decimal places of a price for the fast path. */
const QUICK_PLACES = 4;
const QUICK = 10 ** QUICK_PLACES;
const QUICK_UNIT = 10n ** BigInt(MONEY_PLACES - QUICK_PLACES);

/** Parses a plain decimal with at most 12 places. */
export function unitsOf(decimal: string): Units {
  const isNegative = decimal.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? decimal.slice(1) : decimal).split('.');
  const units = BigInt(whole + fraction.padEnd(MONEY_PLACES, '0').slice(0, MONEY_PLACES));
  return isNegative ? -units : units;
}

/** Converts a price: the decimal of the double. */
export function unitsOfPrice(price: number, textOf: (price: number) => string): Units {
  const scaled = Math.round(price * QUICK);
  return scaled / QUICK === price && Number.isSafeInteger(scaled)
    ? BigInt(scaled) * QUICK_UNIT
    : unitsOf(textOf(price));
}

/** Multiplies an amount by a price, rounded half-even to the places of the ledger, like {@link valueAt}. */
export function worthOf(amount: Units, price: Units): Units {
  const product = amount * price;
  const whole = product / UNIT;
  const rest = product % UNIT;
  if (rest === 0n) return whole;
  const twice = rest < 0n ? -2n * rest : 2n * rest;
  const isUp = twice > UNIT || (twice === UNIT && whole % 2n !== 0n);
  if (!isUp) return whole;
  return product < 0n ? whole - 1n : whole + 1n;
}

export function textOfUnits(units: Units): string {
  const isNegative = units < 0n;
  const absolute = isNegative ? -units : units;
  const whole = absolute / UNIT;
  const rest = absolute % UNIT;
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(MONEY_PLACES, '0').replace(/0+$/, '')}`;
  return `${isNegative ? '-' : ''}${whole}${fraction}`;
}
