/** Binance's symbols, their trading rules, and the meaning of a caller's `BTC` or `btc-usdt`. */
import type { Answer, Answers } from '../answers.ts';
import { VenueError } from '../errors.ts';
import { ANSWER_DEADLINE_MS, type Deadline } from '../http/deadline.ts';
import type { Refusal, Upstream } from '../http/upstream.ts';
import { parseParam, SymbolText } from '../params.ts';
import type { ParsedRecords, RecordParser } from '../parse/record-parser.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { isDollar } from '../trading.ts';
import { ExchangeInfoAnswer, TickersAnswer, WireMiniTicker, WireSymbol } from './wire.ts';

/** A symbol may be halted or resumed at any time; its steps change once a year. */
const RULES_TTL_MS = 5 * MINUTE_MS;
/** Rules that could not be parsed are requested again sooner. */
const UNREAD_TTL_MS = 15 * SECOND_MS;
/** The whole list weighs 20, ranking it 80. */
const LIST_TTL_MS = HOUR_MS;
const RANKING_TTL_MS = 10 * MINUTE_MS;
/** Leaves out the permission groups, of which one symbol can have two hundred. */
const BRIEF = { showPermissionSets: false };

/** Codes for a symbol that does not exist (-1121) or cannot exist (-1100, illegal characters). */
const UNKNOWN_SYMBOL: readonly unknown[] = [-1121, -1100];

/** The meaning of a refusal to a request for a symbol. */
export const refusalFor =
  (symbol: string) =>
  ({ body }: Refusal): VenueError | null =>
    UNKNOWN_SYMBOL.includes((body as { code?: unknown } | null)?.code) ? unknownSymbol(symbol) : null;

const unknownSymbol = (symbol: string) => VenueError.notFound(`crypto has no symbol ${symbol}`);

export class SymbolDirectory {
  readonly #api: Upstream;
  readonly #answers: Answers;
  readonly #reader: RecordParser;

  constructor(api: Upstream, answers: Answers, reader: RecordParser) {
    this.#api = api;
    this.#answers = answers;
    this.#reader = reader;
  }

  /**
   * The symbol that a caller means. With a separator or a dollar quote the text is taken unchanged. A bare name is a symbol if
   * one exists, else a coin priced in USDT. Finding out may need a request for the list, within the call's deadline.
   */
  async resolve(text: string, deadline: Deadline): Promise<string> {
    const wanted = parseParam(SymbolText, 'symbol', text).toUpperCase();
    const symbol = wanted.replace(/[-/_]/, '');
    if (symbol !== wanted || /.(USDT|USDC)$/.test(symbol)) return symbol;
    const { value } = await this.list(deadline.remainingMs());
    return value.some((known) => known.symbol === symbol) ? symbol : `${symbol}USDT`;
  }

  /**
   * The trading rules of symbols in one call, as far as they can be parsed. Throws `not_found` if one symbol does not exist.
   */
  rules(
    symbols: readonly string[],
    deadlineMs = ANSWER_DEADLINE_MS,
  ): Promise<Answer<ParsedRecords<WireSymbol>>> {
    const ttlMs = ({ unread }: ParsedRecords<WireSymbol>) => (unread > 0 ? UNREAD_TTL_MS : RULES_TTL_MS);
    const freshness = { ttlMs, deadlineMs };
    return this.#answers.get(`rules:${symbols.join()}`, freshness, async (deadline) => {
      const query = { symbols: JSON.stringify(symbols), ...BRIEF };
      const refusal = refusalFor(symbols.join(', '));
      return await this.#exchangeInfo(query, deadline, refusal);
    });
  }

  /** The rules of one symbol. Throws `not_found` if it does not exist. */
  async rule(symbol: string): Promise<WireSymbol> {
    const { read, unread } = (await this.rules([symbol])).value;
    const found = read.find((rule) => rule.symbol === symbol);
    if (found !== undefined) return found;
    throw unread > 0 ? this.#reader.unreadable() : unknownSymbol(symbol);
  }

  /** All symbols that currently trade. */
  list(deadlineMs = ANSWER_DEADLINE_MS): Promise<Answer<WireSymbol[]>> {
    return this.#answers.get('list', { ttlMs: LIST_TTL_MS, deadlineMs }, async (deadline) => {
      const query = { permissions: 'SPOT', symbolStatus: 'TRADING', ...BRIEF };
      return this.#reader.someOf([await this.#exchangeInfo(query, deadline)]);
    });
  }

  /** The 24-hour turnover of every symbol in USDT, if its quote currency has a price in USDT. */
  ranking(): Promise<Answer<Record<string, number>>> {
    return this.#answers.get('ranking', { ttlMs: RANKING_TTL_MS }, async (deadline) => {
      const [list, records] = await Promise.all([
        this.list(deadline.remainingMs()),
        this.#api.request('api/v3/ticker/24hr', {
          schema: TickersAnswer,
          query: { type: 'MINI' },
          deadline,
        }),
      ]);
      const tickers = this.#reader.some(WireMiniTicker, records, 'symbol');
      const quoteOf = new Map(list.value.map(({ symbol, quoteAsset }) => [symbol, quoteAsset]));
      const priceOf = new Map(tickers.map(({ symbol, lastPrice }) => [symbol, Number(lastPrice)]));
      const inDollars = (currency: string) =>
        isDollar(currency) ? 1 : (priceOf.get(`${currency}USDT`) ?? 0);
      return Object.fromEntries(
        tickers.map(({ symbol, quoteVolume }) => [
          symbol,
          Number(quoteVolume) * inDollars(quoteOf.get(symbol) ?? ''),
        ]),
      );
    });
  }

  async #exchangeInfo(
    query: Record<string, string | boolean>,
    deadline: Deadline,
    refusal: (refusal: Refusal) => VenueError | null = () => null,
  ): Promise<ParsedRecords<WireSymbol>> {
    const options = { schema: ExchangeInfoAnswer, query, deadline, refusal };
    const { symbols } = await this.#api.request('api/v3/exchangeInfo', options);
    return this.#reader.all(WireSymbol, symbols, 'symbol');
  }
}
