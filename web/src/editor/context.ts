import { createContext } from 'react';
import type { Catalogue } from './drawing/model.ts';

/** The node catalogue of the server this page is from. */
export const CatalogueContext = createContext<Catalogue>({ types: new Map(), notes: new Set() });

/** The id of the blueprint whose drawing is shown. */
export const BlueprintContext = createContext('');
