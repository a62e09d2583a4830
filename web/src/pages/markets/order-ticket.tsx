import { SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { pageMode } from '../../api/page-mode.ts';
import { readProblem } from '../../api/problem.ts';
import { client, type Inputs, type Outputs } from '../../api/trpc.ts';
import { modeWords } from '../../format/mode.ts';
import { amount as amountWords, usd } from '../../format/number.ts';
import { CENTS, enteredPrice, entryOf } from '../../format/trading/outcome-price.ts';
import { t } from '../../language/language.ts';
import { useMoneyBlockReason } from '../../live/store.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Labelled } from '../../ui/fields/labelled.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { RuleResults } from '../../ui/rule-results.tsx';
import { orderStatusWords } from '../../ui/status.tsx';
import { useMarketNow } from '../../ui/use-market-now.ts';
import { useRuleCatalogue } from '../../ui/use-rule-catalogue.ts';
import type { PriceAlertProps } from './price-alert-dialog.tsx';

const TYPING_MS = 300;
/** How often the rules are asked again while the ticket is open. */
const RECHECK_MS = 5_000;

/** How an order may be filled: at a limit for this long, or at the market. */
const HOWS = ['gtc', 'ioc', 'fok', 'market'] as const;
type How = (typeof HOWS)[number];

type Terms = Inputs['riskRules']['preview'];
type Preview = Outputs['riskRules']['preview'];
type Placed = Outputs['orders']['place'];

/**
 * Buys or sells an instrument by hand. The rules are asked as the values are typed, and the order is sent only as they have
 * seen it. The price on the page is filled in, and no other.
 */
export function OrderTicket({ tokenId, name, price, isOutcome, write, onClose }: PriceAlertProps) {
  const id = useId();
  const [entry, setEntry] = useState(() => ({
    side: 'buy' as Terms['side'],
    how: 'gtc' as How,
    amount: '',
    price: price === null ? '' : entryOf(price, isOutcome),
  }));
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
  const moneyBlock = useMoneyBlockReason();
  const { reason } = useRuleCatalogue();
  const receipt = terms !== null && checked === entry && !preview.isError ? preview.data : undefined;
  const set = (change: Partial<typeof entry>) => setEntry((now) => ({ ...now, ...change }));
  if (placed) return <Outcome placed={placed} name={name} />;

  const refusal = receipt?.denial?.message ?? (preview.error && readProblem(preview.error).message);
  const hasPrice = entry.how === 'market' || enteredPrice(entry.price, isOutcome) > 0;
  const missing = hasPrice ? t('Type an amount above 0.') : t('Type an amount above 0, and a price.');
  const unchecked = terms ? t('Checking the rules…') : missing;
  const priceBlock = price === null ? t('The price of this market is not known now.') : blocked;
  return (
    <FormDialog
      title={t('Trade {name}', { name })}
      action={entry.side === 'buy' ? t('Send buy order') : t('Send sell order')}
      blocked={moneyBlock ?? priceBlock ?? (refusal ? reason(refusal) : receipt ? null : unchecked)}
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
      <SegmentedControl
        fullWidth
        aria-label={t('Side')}
        value={entry.side}
        data={[
          { value: 'buy', label: t('Buy') },
          { value: 'sell', label: t('Sell') },
        ]}
        onChange={(side) => set({ side: side === 'sell' ? 'sell' : 'buy' })}
      />
      <TextField
        id={`${id}-amount`}
        label={t('Amount')}
        hint={market ? t('in steps of {stepSize}', { stepSize: amountWords(market.stepSize) }) : undefined}
        type="number"
        min={0}
        step="any"
        required
        value={entry.amount}
        onChange={(event) => set({ amount: event.currentTarget.value })}
      />
      <Labelled id={`${id}-how`} label={t('How')}>
        <select
          id={`${id}-how`}
          className="text-input"
          value={entry.how}
          onChange={(event) => set({ how: HOWS.find((how) => how === event.currentTarget.value) ?? 'gtc' })}
        >
          <option value="gtc">
            {pageMode === 'live' && entry.side === 'buy'
              ? t('At a limit; rests at most 10 minutes')
              : t('At a limit; rests until filled or canceled')}
          </option>
          <option value="ioc">{t('At a limit, immediate or cancel')}</option>
          <option value="fok">{t('At a limit, fill or kill')}</option>
          <option value="market">{t('Now, within the price band')}</option>
        </select>
      </Labelled>
      {entry.how === 'market' ? null : (
        <TextField
          id={`${id}-price`}
          label={isOutcome ? t('Price in ¢') : t('Price')}
          type="number"
          min={0}
          max={isOutcome ? CENTS : undefined}
          step="any"
          required
          value={entry.price}
          onChange={(event) => set({ price: event.currentTarget.value })}
        />
      )}
      {receipt ? <Receipt of={receipt} side={entry.side} write={write} /> : null}
    </FormDialog>
  );
}

type Entry = { side: Terms['side']; how: How; amount: string; price: string };

/** The order as it is typed; null while a value is missing. */
function termsOf({ side, how, amount, price }: Entry, tokenId: string, isOutcome: boolean): Terms | null {
  const limitPrice = enteredPrice(price, isOutcome);
  if (!(Number(amount) > 0) || (how !== 'market' && !(limitPrice > 0))) return null;
  const terms = { tokenId, side, amount: Number(amount) };
  return how === 'market' ? { ...terms, type: 'market' } : { ...terms, type: 'limit', limitPrice };
}

type ReceiptProps = { of: Preview; side: Terms['side']; write: (price: number) => string };

/** The results of the rules for the order, and its maximum cost. */
function Receipt({ of, side, write }: ReceiptProps) {
  const { verdict, amount, limitPrice, size, warning, receipt } = of;
  const { reason } = useRuleCatalogue();
  const values = { amount: amountWords(amount), price: write(limitPrice) };
  return (
    <section aria-label={t('Receipt')} aria-live="polite" className="stack tight">
      <dl className="facts">
        {pageMode === 'live' ? (
          <>
            <dt>{t('Mode')}</dt>
            <dd>
              <span className="chip live">{modeWords(pageMode).title}</span>
            </dd>
          </>
        ) : null}
        <dt>{t('Order')}</dt>
        <dd>
          {side === 'buy'
            ? t('Buy {amount} at up to {price}', values)
            : t('Sell {amount} at no less than {price}', values)}
        </dd>
        <dt>{side === 'buy' ? t('Max. cost') : t('Min. proceeds')}</dt>
        <dd>
          <strong>{usd(side === 'buy' ? size + of.worstFee : amount * limitPrice - of.worstFee)}</strong>{' '}
          <span className="dim">{t('with the fee')}</span>
        </dd>
        <dt>{t('Verdict')}</dt>
        <dd>{verdict === 'queued' ? t('Would be sent at once') : orderStatusWords(verdict)}</dd>
      </dl>
      <RuleResults lines={receipt.lines} />
      {warning ? <div className="notice warn">{reason(warning)}</div> : null}
    </section>
  );
}

/** The fate of the order, with a link to it. */
const Outcome = ({ placed, name }: { placed: Placed; name: string }) => (
  <div className="notice" role="status">
    {placed.status === 'pending'
      ? t('The order for {amount} of {name} awaits your approval.', {
          amount: amountWords(placed.amount),
          name,
        })
      : t('The order for {amount} of {name} is on its way.', { amount: amountWords(placed.amount), name })}
    <Link to="/orders" search={{ order: placed.intentId }}>
      {t('Open the order')}
    </Link>
  </div>
);
