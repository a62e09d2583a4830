import { notifications } from '@mantine/notifications';
import { useId, useState } from 'react';
import { isRefusal } from '../../api/problem.ts';
import { client, trpc } from '../../api/trpc.ts';
import { CENTS, enteredPrice, priceKindWords } from '../../format/trading/outcome-price.ts';
import { t } from '../../language/language.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Labelled } from '../../ui/fields/labelled.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { priceAlertGraph, shortMarketName } from './price-alert-graph.ts';

export type PriceAlertProps = {
  tokenId: string;
  name: string;
  /** The price on the page, which is compared. */
  price: number | null;
  field: 'mid' | 'last';
  /** Prices of outcomes are asked in cents, up to a dollar. */
  isOutcome: boolean;
  write: (price: number) => string;
  onClose: () => void;
};

/** Asks for a level. The alert is a strategy that only watches: it outlives restarts, and is stopped and deleted as one. */
export function PriceAlertDialog(props: PriceAlertProps) {
  const { tokenId, name, price, isOutcome, write, onClose } = props;
  // It compares the same price also if the book becomes wide while a level is typed.
  const [field] = useState(props.field);
  const id = useId();
  return (
    <FormDialog
      title={t('Price alert for {name}', { name })}
      action={t('Set alert')}
      outdated={trpc.console.blueprints.pathFilter()}
      send={async (form, idempotencyKey) => {
        const entered = new FormData(form);
        const op = entered.get('op') === 'lte' ? 'lte' : 'gte';
        const level = enteredPrice(String(entered.get('level')), isOutcome);
        const values = { name: shortMarketName(name), level: write(level) };
        const text =
          op === 'gte' ? t('{name} at or above {level}', values) : t('{name} at or below {level}', values);
        const visual = priceAlertGraph({ tokenId, field, op, level, text });
        await deployAlert({ name: t('Alert: {words}', { words: text }), visual }, idempotencyKey);
      }}
      onSent={() =>
        notifications.show({ message: t('The alert is set; it is listed among your strategies.') })
      }
      onClose={onClose}
    >
      <Labelled id={`${id}-op`} label={t('When the price is')}>
        <select id={`${id}-op`} name="op" className="text-input">
          <option value="gte">{t('at or above')}</option>
          <option value="lte">{t('at or below')}</option>
        </select>
      </Labelled>
      <TextField
        id={`${id}-level`}
        name="level"
        label={isOutcome ? t('Price in ¢') : t('Price')}
        hint={
          price === null || field !== props.field
            ? undefined
            : t('{kind} now {price}', { kind: priceKindWords(field), price: write(price) })
        }
        type="number"
        min={0}
        max={isOutcome ? CENTS : undefined}
        step="any"
        required
      />
      <p className="plain dim">
        {t(
          'You are notified once, in Activity and on your channels. Nothing trades. It runs until you stop it.',
        )}
      </p>
    </FormDialog>
  );
}

/** Repeated under its key, it makes one alert. A refused alert is deleted. */
async function deployAlert(draft: { name: string; visual: unknown }, idempotencyKey: string): Promise<void> {
  const { id } = await client.blueprints.create.mutate(draft, { context: { idempotencyKey } });
  const { version, status } = await client.console.blueprint.query({ id });
  if (status === 'running') return;
  try {
    await client.console.deployUntried.mutate({ id, version });
  } catch (error) {
    if (isRefusal(error)) await client.blueprints.delete.mutate({ id }).catch(() => {});
    throw error;
  }
}
