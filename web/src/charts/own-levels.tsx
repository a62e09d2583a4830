import { Button } from '@mantine/core';
import { X as RemoveIcon } from 'lucide-react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { CENTS, enteredPrice } from '../format/trading/outcome-price.ts';
import { t } from '../language/language.ts';
import type { PriceLevel } from './layers.ts';
import { SeriesChart, type SeriesChartProps } from './series-chart.tsx';

/** Over all instruments. The oldest go first. */
const LEVELS_MAX = 100;

/** An instrument on whose price a user sets levels. Prices of outcomes are typed in cents. */
export type LevelsOf = { tokenId: string; isOutcome: boolean };
type OwnLevel = { tokenId: string; price: number };
type OwnLevels = { levels: readonly OwnLevel[]; set: (levels: readonly OwnLevel[]) => void };

const useStore = create<OwnLevels>()(
  persist((set) => ({ levels: [], set: (levels) => set({ levels: levels.slice(-LEVELS_MAX) }) }), {
    name: 'desk-levels',
    version: 1,
  }),
);

export type LevelsChartProps = SeriesChartProps & {
  /** The instrument whose price is the first layer. */
  levelsOf: LevelsOf;
};

/** A chart with levels that the user sets on the price of its first layer. They are stored in this browser. */
export function LevelsChart({ levelsOf, ...chart }: LevelsChartProps) {
  const { levels } = useStore();
  const own = levels.flatMap(({ tokenId, price }) => (tokenId === levelsOf.tokenId ? [price] : []));
  const [first, ...others] = chart.layers;
  if (!first) return <SeriesChart {...chart} />;
  const lines = own.map((price): PriceLevel => ({ name: t('Level'), price, tone: 'accent' }));
  const layers = [{ ...first, levels: [...(first.levels ?? []), ...lines] }, ...others];
  return (
    <>
      <SeriesChart {...chart} layers={layers} revision={`${chart.revision} ${own}`} />
      <LevelsRow of={levelsOf} own={own} write={first.write} />
    </>
  );
}

const withoutLevel = ({ tokenId, price }: OwnLevel) =>
  useStore.getState().levels.filter((level) => level.tokenId !== tokenId || level.price !== price);

type RowProps = { of: LevelsOf; own: readonly number[]; write: (price: number) => string };

/** Adds levels to a chart by their price, and removes them. */
function LevelsRow({ of: { tokenId, isOutcome }, own, write }: RowProps) {
  const { set } = useStore();
  return (
    <form
      className="row tight own-levels"
      onSubmit={(event) => {
        event.preventDefault();
        const price = enteredPrice(String(new FormData(event.currentTarget).get('level')), isOutcome);
        const level = { tokenId, price };
        if (price > 0) set([...withoutLevel(level), level]);
        event.currentTarget.reset();
      }}
    >
      <input
        className="text-input choice-input"
        name="level"
        type="number"
        min={0}
        max={isOutcome ? CENTS : undefined}
        step="any"
        required
        aria-label={isOutcome ? t('Level in ¢') : t('Level')}
        placeholder={isOutcome ? t('Level in ¢') : t('Level')}
      />
      <Button type="submit" variant="default" title={t('Draws a line at this price, kept in this browser')}>
        {t('Add level')}
      </Button>
      {own.map((price) => (
        <button
          key={price}
          type="button"
          className="chip"
          aria-label={t('Remove the level {price}', { price: write(price) })}
          onClick={() => set(withoutLevel({ tokenId, price }))}
        >
          {write(price)} <RemoveIcon size={12} aria-hidden />
        </button>
      ))}
    </form>
  );
}
