/** The recorded prices behind the simulated world, read on first use. Sources: `data/SOURCES.md`. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Bars of 5 minutes. */
export const BAR_MS = 300_000;

/**
 * A recorded price as returns. `level[i]` is the log price at the start of bar i, relative to the first. The trend of the whole
 * is removed, so that the recording can continue from its end to its beginning. Wicks are log distances beyond the body.
 */
export type Recording = {
  readonly length: number;
  readonly level: Float64Array;
  readonly wickUp: Float32Array;
  readonly wickDown: Float32Array;
  readonly volume: Float32Array;
};

export type CoinRecording = 'btcusdt' | 'ethusdt';

const dataFile = (name: string): URL => new URL(`data/${name}`, import.meta.url);

const coins = new Map<CoinRecording, Recording>();
let daily: Map<string, readonly number[]> | null = null;

/** The recording of a coin. */
export function coinRecording(name: CoinRecording): Recording {
  const loaded =
    coins.get(name) ?? recordingOf(numbersIn(gunzipSync(readFileSync(dataFile(`${name}-5m.csv.gz`)))));
  coins.set(name, loaded);
  return loaded;
}

const COLUMNS = 5;

function recordingOf(bars: Float64Array): Recording {
  const length = bars.length / COLUMNS;
  const level = new Float64Array(length);
  const wickUp = new Float32Array(length);
  const wickDown = new Float32Array(length);
  const volume = new Float32Array(length);
  const first = Math.log(bars[0] ?? 1);
  let previous = first;
  for (let index = 0; index < length; index += 1) {
    const [, high = 0, low = 0, close = 0, amount = 0] = bars.subarray(index * COLUMNS);
    level[index] = previous - first;
    const end = Math.log(close);
    wickUp[index] = Math.max(0, Math.log(high) - Math.max(previous, end));
    wickDown[index] = Math.max(0, Math.min(previous, end) - Math.log(low));
    volume[index] = amount;
    previous = end;
  }
  const trend = (previous - first) / length;
  for (let index = 0; index < length; index += 1) level[index] = (level[index] ?? 0) - trend * index;
  return { length, level, wickUp, wickDown, volume };
}

const NEWLINE = 0x0a;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * All numbers of a CSV below its head, row by row. Parsed byte by byte: sixty thousand strings would need more memory than the
 * data.
 */
function numbersIn(csv: Uint8Array): Float64Array {
  const numbers: number[] = [];
  let digits = 0;
  let scale = 0;
  for (let index = csv.indexOf(NEWLINE) + 1; index < csv.length; index += 1) {
    const byte = csv[index] ?? NEWLINE;
    if (byte >= ZERO && byte <= NINE) {
      digits = digits * 10 + (byte - ZERO);
      scale *= 10;
    } else if (byte === DOT) scale = 1;
    else {
      numbers.push(digits / Math.max(1, scale));
      digits = scale = 0;
    }
  }
  return Float64Array.from(numbers);
}

/** Recorded daily probabilities by name. Throws if there is no such series. */
export function dailyPrices(name: string): readonly number[] {
  daily ??= parseDaily(readFileSync(dataFile('prediction-1d.csv'), 'utf8'));
  const prices = daily.get(name);
  if (prices === undefined) throw new Error(`no recorded series ${name}`);
  return prices;
}

function parseDaily(csv: string): Map<string, readonly number[]> {
  const rows = csv.trimEnd().split('\n').slice(1);
  return new Map(
    rows.map((row) => {
      const [name = '', prices = ''] = row.split(',');
      return [name, prices.split(' ').map(Number)];
    }),
  );
}
