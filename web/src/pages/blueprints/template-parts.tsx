import { readGraph } from '../../editor/drawing/json.ts';
import { instrumentsIn, thumbnailOf } from '../../editor/drawing/thumbnail.ts';
import { VENUE_NAMES, venuesOfKind } from '../../format/trading/venue.ts';
import { InstrumentName } from '../../instruments/field.tsx';
import { FindButton } from '../../instruments/find-button.tsx';
import { t } from '../../language/language.ts';

const NOTES = new Set(['note']);

/** The shape of a template: the text beside it says what it does. */
export function TemplatePicture({ visual }: { visual: unknown }) {
  const picture = thumbnailOf(readGraph(visual), NOTES);
  if (!picture) return null;
  return (
    <svg className="thumbnail" viewBox={picture.viewBox} aria-hidden preserveAspectRatio="xMidYMid meet">
      {picture.lines.map((path) => (
        <path key={path} d={path} />
      ))}
      {picture.boxes.map(({ id, ...box }) => (
        <rect key={id} rx={14} {...box} />
      ))}
    </svg>
  );
}

type MarketsProps = {
  visual: unknown;
  /** The chosen instrument for each one that the template names. */
  chosen: Readonly<Record<string, string>>;
  onChoose: (of: string, tokenId: string) => void;
};

/** The markets that a template trades, each of which can be replaced by name. */
export function TemplateMarkets({ visual, chosen, onChoose }: MarketsProps) {
  const named = instrumentsIn(readGraph(visual));
  if (named.length === 0) return null;
  return (
    <div className="stack tight">
      <span className="small">{named.length === 1 ? t('Its market') : t('Its markets')}</span>
      {named.map((tokenId) => {
        const chosenId = chosen[tokenId] ?? tokenId;
        return (
          <div key={tokenId} className="row apart">
            <span className="template-market">
              <span className="mono">{chosenId.length > 40 ? `${chosenId.slice(0, 12)}…` : chosenId}</span>{' '}
              <InstrumentName tokenId={chosenId} />
            </span>
            <FindButton
              label={t('Choose another…')}
              venues={
                /^[A-Z0-9]+$/.test(tokenId) && !/^\d+$/.test(tokenId) ? venuesOfKind('spot') : VENUE_NAMES
              }
              onPick={(next) => onChoose(tokenId, next)}
            />
          </div>
        );
      })}
    </div>
  );
}
