import { msg, t } from '../../language/language.ts';

const STEP = msg(
  'Arrows go along the connections, Enter opens the inspector. Alt and arrows move the node, O switches it off, Delete deletes it.',
);

/** The canvas's own texts for screen readers, in the current language. */
export const ariaWords = () => ({
  'node.a11yDescription.default': t(STEP),
  'node.a11yDescription.keyboardDisabled': t(STEP),
  'edge.a11yDescription.default': t('A connection'),
  'controls.zoomIn.ariaLabel': t('Zoom In'),
  'controls.zoomOut.ariaLabel': t('Zoom Out'),
  'controls.fitView.ariaLabel': t('Fit View'),
});
