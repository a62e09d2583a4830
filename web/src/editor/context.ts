import { createContext } from 'react';
import type { Catalogue } from './drawing/model.ts';

/** The node catalogue of the server this page is from. */
export const CatalogueContext = createContext<Catalogue>({ types: new Map(), notes: new Set() });
