import type {
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';

/** The fills of a cycle, at the times of their candles. */
export type CycleLine = readonly { readonly time: Time; readonly price: number }[];

const DASH_PX = [2, 3];
const WIDTH_PX = 1.25;

/** Draws a dotted line from each entry to its exits, over the series of the price. */
export class CycleLines implements ISeriesPrimitive<Time> {
  #lines: readonly CycleLine[] = [];
  #color = '';
  #attached: SeriesAttachedParameter<Time> | null = null;
  readonly #views = [{ renderer: (): IPrimitivePaneRenderer => ({ draw: this.#draw }) }];

  attached(parameters: SeriesAttachedParameter<Time>): void {
    this.#attached = parameters;
  }

  detached(): void {
    this.#attached = null;
  }

  paneViews() {
    return this.#views;
  }

  show(lines: readonly CycleLine[], color: string): void {
    this.#lines = lines;
    this.#color = color;
    this.#attached?.requestUpdate();
  }

  readonly #draw: IPrimitivePaneRenderer['draw'] = (target) =>
    target.useMediaCoordinateSpace(({ context }) => {
      if (this.#attached === null) return;
      const { chart, series } = this.#attached;
      const scale = chart.timeScale();
      context.strokeStyle = this.#color;
      context.lineWidth = WIDTH_PX;
      context.setLineDash(DASH_PX);
      context.beginPath();
      for (const line of this.#lines) {
        for (const [index, { time, price }] of line.entries()) {
          const [x, y] = [scale.timeToCoordinate(time), series.priceToCoordinate(price)];
          if (x === null || y === null) continue;
          if (index === 0) context.moveTo(x, y);
          else context.lineTo(x, y);
        }
      }
      context.stroke();
    });
}
