import { bestPriceOf, bookSpreadOf, unitsWords } from '../../../format/trading/ticket.ts';
import { t } from '../../../language/language.ts';
import './ticket.css';

type QuoteRowProps = {
  book: { bids: readonly { price: number }[]; asks: readonly { price: number }[] };
  /** The amount that the account holds; undefined until it is read. */
  held: number | undefined;
  instrument: { isOutcome: boolean; title: string };
  write: (price: number) => string;
  /** Takes a price over into the order; absent if the order has none. */
  onTake: ((price: number) => void) | undefined;
};

/** The best prices, which are taken over by a press, and what the account holds. */
export function QuoteRow({ book, held, instrument, write, onTake }: QuoteRowProps) {
  const spread = bookSpreadOf(book);
  return (
    <dl className="ticket-quote">
      <div>
        <dt>{t('Bid')}</dt>
        <dd>
          <Price of={bestPriceOf(book, 'sell')} write={write} onTake={onTake} />
        </dd>
      </div>
      <div>
        <dt>{t('Ask')}</dt>
        <dd>
          <Price of={bestPriceOf(book, 'buy')} write={write} onTake={onTake} />
        </dd>
      </div>
      <div>
        <dt>{t('Spread')}</dt>
        <dd>{spread === null ? '—' : write(spread)}</dd>
      </div>
      <div>
        <dt>{t('Held')}</dt>
        <dd>{held === undefined ? '—' : unitsWords(held, instrument)}</dd>
      </div>
    </dl>
  );
}

type PriceProps = Pick<QuoteRowProps, 'write' | 'onTake'> & { of: number | null };

function Price({ of, write, onTake }: PriceProps) {
  if (of === null) return '—';
  if (!onTake) return write(of);
  return (
    <button type="button" title={t('Use as the limit')} onClick={() => onTake(of)}>
      {write(of)}
    </button>
  );
}
