import { t } from '../language/language.ts';

const NODES = [
  { x: 8, y: 14, tone: 'var(--accent)', words: 'BTC' },
  { x: 8, y: 66, tone: 'var(--accent)', words: 'EMA 21' },
  { x: 136, y: 40, tone: 'var(--amber)', words: 'BTC > EMA' },
  { x: 264, y: 40, tone: 'var(--up)', words: 'Buy 25 USD' },
] as const;
const EDGES = ['M112 30 C124 30 124 50 136 50', 'M112 82 C124 82 124 62 136 62', 'M240 56 H264'] as const;
const CURVE =
  'M8 158 L36 150 L64 154 L92 141 L120 146 L148 132 L176 136 L204 122 L232 127 L260 116 L288 121 L316 108 L368 104';

/** A strategy as it is drawn here, and the curve of its results below. */
export const SignInPicture = () => (
  <svg
    className="sign-in-picture"
    viewBox="0 0 376 168"
    role="img"
    aria-label={t('A strategy as a graph: a price and an average are compared, and an order follows.')}
  >
    {EDGES.map((edge) => (
      <path key={edge} d={edge} fill="none" stroke="var(--line-strong)" strokeWidth={2} />
    ))}
    {NODES.map(({ x, y, tone, words }) => (
      <g key={words}>
        <rect x={x} y={y} width={104} height={32} rx={6} fill="var(--panel)" stroke="var(--line-strong)" />
        <rect x={x} y={y} width={4} height={32} rx={2} fill={tone} />
        <text x={x + 14} y={y + 20} fontSize={12} fill="var(--text)">
          {words}
        </text>
      </g>
    ))}
    <path d={`${CURVE} V168 H8 Z`} fill="var(--up)" opacity={0.12} />
    <path d={CURVE} fill="none" stroke="var(--up)" strokeWidth={2} />
  </svg>
);
