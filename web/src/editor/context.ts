import { createContext } from 'react';
import type { Catalogue } from './drawing/model.ts';

/** The node catalogue of the server that served this page. */
export const CatalogueContext = createContext<Catalogue>({ types: new Map(), notes: new Set() });

/** The id of the blueprint whose graph is shown. */
export const BlueprintIdContext = createContext('');
