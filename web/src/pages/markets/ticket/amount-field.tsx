import { SegmentedControl } from '@mantine/core';
import { amount as amountWords, usd } from '../../../format/number.ts';
import { quoteAmountFormatOf } from '../../../format/trading/instrument.ts';
import { sumForUnits, sumUnitOf, unitOf, unitsWords } from '../../../format/trading/ticket.ts';
import { t } from '../../../language/language.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';

/** Units, and the money they follow, if that was typed. */
type Typed = { amount: string; sum: string | null };

type AmountFieldProps = {
  id: string;
  entry: Typed;
  onChange: (typed: Partial<Typed>) => void;
  /** 0 if it is not known. */
  unitPrice: number;
  stepSize: number | undefined;
  instrument: { isOutcome: boolean; title: string };
};

/** The amount in units or in money, with the other below. Units are what is sent. */
export function AmountField({ id, entry, onChange, unitPrice, stepSize, instrument }: AmountFieldProps) {
  const { amount, sum } = entry;
  const units = unitOf(instrument);
  const money = sumUnitOf(instrument);
  const isMoney = sum !== null;
  return (
    <div className="ticket-amount">
      <TextField
        id={id}
        label={t('Amount in {unit}', { unit: isMoney ? money : units })}
        hint={hintOf({ entry, unitPrice, stepSize, instrument })}
        type="number"
        min={0}
        step="any"
        required
        value={sum ?? amount}
        onChange={({ currentTarget: { value } }) => onChange(isMoney ? { sum: value } : { amount: value })}
      />
      <SegmentedControl
        aria-label={t('Unit')}
        value={isMoney ? 'money' : 'units'}
        data={[
          { value: 'units', label: units },
          { value: 'money', label: money },
        ]}
        onChange={(unit) =>
          onChange(unit === 'money' ? { sum: sumForUnits(amount, unitPrice) } : { sum: null })
        }
      />
    </div>
  );
}

type Hinted = Pick<AmountFieldProps, 'entry' | 'unitPrice' | 'stepSize' | 'instrument'>;

function hintOf({ entry: { amount, sum }, unitPrice, stepSize, instrument }: Hinted): string | undefined {
  if (stepSize === undefined) return undefined;
  const step = amountWords(stepSize);
  if (sum !== null)
    return amount === ''
      ? t('Rounded down to steps of {stepSize}.', { stepSize: step })
      : t('{units}, rounded down to steps of {stepSize}; the fee is added.', {
          units: unitsWords(Number(amount), instrument),
          stepSize: step,
        });
  const value = Number(amount) * unitPrice;
  const inMoney = instrument.isOutcome ? usd : quoteAmountFormatOf(instrument.title, usd);
  return value > 0
    ? t('≈ {value}, in steps of {stepSize}', { value: inMoney(value), stepSize: step })
    : t('in steps of {stepSize}', { stepSize: step });
}
