import { SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { pageMode } from '../../../api/page-mode.ts';
import { readProblem } from '../../../api/problem.ts';
import { client, trpc } from '../../../api/trpc.ts';
import { CENTS, enteredPrice, entryOf } from '../../../format/trading/outcome-price.ts';
import {
  bestPriceOf,
  boundOf,
  confirmWord,
  heldOf,
  ticketAction,
  unitsForSum,
} from '../../../format/trading/ticket.ts';
import { t } from '../../../language/language.ts';
import { useMoneyBlockReason } from '../../../live/store.ts';
import { ConfirmWordField } from '../../../ui/dialogs/confirm.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Labelled } from '../../../ui/fields/labelled.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useMarketNow } from '../../../ui/use-market-now.ts';
import { useRuleCatalogue } from '../../../ui/use-rule-catalogue.ts';
import type { PriceAlertProps } from '../price-alert-dialog.tsx';
import { AmountField } from './amount-field.tsx';
import { QuoteRow } from './quote-row.tsx';
import { Outcome, type Placed, Receipt, type Terms } from './receipt.tsx';

const TYPING_MS = 300;
/** How often the rules are asked again while the ticket is open. */
const RECHECK_MS = 5_000;
const RECEIPT_MAX_MS = 3 * RECHECK_MS;

/** How an order may be filled: at a limit for this long, or at the market. */
const HOWS = ['gtc', 'gtx', 'ioc', 'fok', 'market'] as const;
type How = (typeof HOWS)[number];

const isLive = pageMode === 'live';

type Side = Terms['side'];

type Entry = {
  side: Side;
  how: How;
  /** Units, as they are sent. */
  amount: string;
  /** The money that was typed instead, which `amount` follows; null while units are typed. */
  sum: string | null;
  /** Empty until the book is read or a price is typed. */
  price: string;
  /** The price was typed or taken over: a change of the side leaves it. */
  isOwnPrice: boolean;
};

const START: Entry = { side: 'buy', how: 'gtc', amount: '', sum: null, price: '', isOwnPrice: false };

/**
 * Buys or sells an instrument by hand. The rules are asked as the values are typed, and the order is sent only as they have
 * seen it. The best price of the book's other side is filled in once, and stays while the book moves.
 */
export function OrderTicket({ tokenId, name, price, isOutcome, write, onClose }: PriceAlertProps) {
  const [entry, setEntry] = useState(START);
  const [typed, setTyped] = useState('');
  const [checked] = useDebouncedValue(entry, TYPING_MS);
  const answer = useRef<Placed | null>(null);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const terms = termsOf(checked, tokenId, isOutcome);
  const preview = useQuery({
    queryKey: ['ticket', terms],
    queryFn: () => client.riskRules.preview.mutate(terms as Terms),
    enabled: terms !== null && placed === null,
    refetchInterval: RECHECK_MS,
    retry: false,
    gcTime: 0,
  });
  const { market, blocked } = useMarketNow(tokenId);
  const positions = useQuery(trpc.portfolio.positions.queryOptions({}));
  const moneyBlock = useMoneyBlockReason();
  const { reason } = useRuleCatalogue();
  // A hidden page does not ask again: its receipt is of another moment until the first answer.
  const isRecent = Date.now() - preview.dataUpdatedAt < RECEIPT_MAX_MS;
  const receipt =
    terms !== null && checked === entry && !preview.isError && isRecent ? preview.data : undefined;
  const set = (change: Partial<Entry>) => {
    setEntry((now) => inUnits({ ...now, ...change }, market, isOutcome));
    // The typed word confirmed the order as it was.
    setTyped('');
  };
  const bestPrice = (side: Side) => {
    const best = market ? bestPriceOf(market, side) : null;
    return best === null ? '' : entryOf(best, isOutcome);
  };
  const filled = bestPrice(entry.side);
  if (entry.price === '' && !entry.isOwnPrice && filled !== '') set({ price: filled });
  if (placed) return <Outcome placed={placed} name={name} />;

  const instrument = { isOutcome, title: market?.title ?? name };
  const hasLimit = entry.how !== 'market';
  const decided = receipt && { ...receipt, bound: boundOf(entry.side, receipt, receipt.worstFee) };
  const refusal = receipt?.denial?.message ?? (preview.error && readProblem(preview.error).message);
  const hasPrice = !hasLimit || enteredPrice(entry.price, isOutcome) > 0;
  const typedWrong = hasPrice ? t('Type an amount above 0.') : t('Type an amount above 0, and a price.');
  const missing =
    checked.amount === ''
      ? ''
      : checked.sum !== null && hasPrice
        ? t('This buys less than one step.')
        : typedWrong;
  const word = isLive && decided && !refusal ? confirmWord(entry.side, hasLimit, decided.bound) : null;
  const missingWord = word === null || typed.trim() === word ? null : '';
  const unchecked = terms ? t('Checking the rules…') : missing;
  const priceBlock = price === null ? t('The price of this market is not known now.') : blocked;
  return (
    <FormDialog
      title={t('Trade {name}', { name })}
      action={ticketAction(entry.side, instrument, decided, hasLimit)}
      danger={isLive}
      blocked={moneyBlock ?? priceBlock ?? (refusal ? reason(refusal) : receipt ? missingWord : unchecked)}
      outdated={{}}
      send={async (_form, idempotencyKey) => {
        if (!receipt || !terms) return;
        const { amount, limitPrice } = receipt;
        const { how: timeInForce } = checked;
        const order =
          timeInForce === 'market' ? { ...terms, amount } : { ...terms, amount, limitPrice, timeInForce };
        answer.current = await client.orders.place.mutate(order, { context: { idempotencyKey } });
      }}
      onSent={() => {}}
      onClose={() => (answer.current ? setPlaced(answer.current) : onClose())}
    >
      <QuoteRow
        book={market ?? { bids: [], asks: [] }}
        held={positions.data && heldOf(positions.data, tokenId)}
        instrument={instrument}
        write={write}
        onTake={hasLimit ? (taken) => set({ price: entryOf(taken, isOutcome), isOwnPrice: true }) : undefined}
      />
      <SegmentedControl
        fullWidth
        aria-label={t('Side')}
        value={entry.side}
        data={[
          { value: 'buy', label: t('Buy') },
          { value: 'sell', label: t('Sell') },
        ]}
        onChange={(chosen) => {
          const side = chosen === 'sell' ? 'sell' : 'buy';
          set(entry.isOwnPrice ? { side } : { side, price: bestPrice(side) });
        }}
      />
      <Fields entry={entry} set={set} market={market} instrument={instrument} write={write} />
      {receipt ? <Receipt of={receipt} side={entry.side} hasLimit={hasLimit} write={write} /> : null}
      {word === null ? null : <ConfirmWordField word={word} typed={typed} onTyped={setTyped} />}
    </FormDialog>
  );
}

type FieldsProps = {
  entry: Entry;
  set: (change: Partial<Entry>) => void;
  market: Market;
  instrument: { isOutcome: boolean; title: string };
  write: (price: number) => string;
};

/** The amount in units or money, how the order may be filled, and its limit. */
function Fields({ entry, set, market, instrument, write }: FieldsProps) {
  const id = useId();
  const { isOutcome } = instrument;
  const hasLimit = entry.how !== 'market';
  return (
    <>
      <AmountField
        id={`${id}-amount`}
        entry={entry}
        onChange={set}
        unitPrice={unitPriceOf(entry, market, isOutcome)}
        stepSize={market?.stepSize}
        instrument={instrument}
      />
      <Labelled id={`${id}-how`} label={t('How')}>
        <select
          id={`${id}-how`}
          className="text-input"
          value={entry.how}
          onChange={(event) => set({ how: HOWS.find((how) => how === event.currentTarget.value) ?? 'gtc' })}
        >
          <option value="gtc">
            {isLive && entry.side === 'buy'
              ? t('At a limit; rests at most 10 minutes')
              : t('At a limit; rests until filled or canceled')}
          </option>
          <option value="gtx">{t('At a limit, post-only')}</option>
          <option value="ioc">{t('At a limit, immediate or cancel')}</option>
          <option value="fok">{t('At a limit, fill or kill')}</option>
          <option value="market">{t('Now, within the price band')}</option>
        </select>
      </Labelled>
      {hasLimit ? (
        <TextField
          id={`${id}-price`}
          label={isOutcome ? t('Price in ¢') : t('Price')}
          hint={market ? t('in steps of {stepSize}', { stepSize: write(market.tickSize) }) : undefined}
          type="number"
          min={0}
          max={isOutcome ? CENTS : undefined}
          step="any"
          required
          value={entry.price}
          onChange={(event) => set({ price: event.currentTarget.value, isOwnPrice: true })}
        />
      ) : null}
    </>
  );
}

type Market = ReturnType<typeof useMarketNow>['market'];

/** The price of a unit: the limit that was typed, else the best one of the book; 0 if it is not known. */
const unitPriceOf = ({ how, price, side }: Entry, market: Market, isOutcome: boolean): number =>
  how === 'market' ? ((market && bestPriceOf(market, side)) ?? 0) : enteredPrice(price, isOutcome);

/** The entry with the units of a typed sum, at the price of this moment. */
const inUnits = (entry: Entry, market: Market, isOutcome: boolean): Entry =>
  entry.sum === null
    ? entry
    : {
        ...entry,
        amount: unitsForSum(entry.sum, unitPriceOf(entry, market, isOutcome), market?.stepSize ?? 0),
      };

/** The order as it is typed; null while a value is missing. */
function termsOf({ side, how, amount, price }: Entry, tokenId: string, isOutcome: boolean): Terms | null {
  const limitPrice = enteredPrice(price, isOutcome);
  if (!(Number(amount) > 0) || (how !== 'market' && !(limitPrice > 0))) return null;
  const terms = { tokenId, side, amount: Number(amount) };
  return how === 'market' ? { ...terms, type: 'market' } : { ...terms, type: 'limit', limitPrice };
}
