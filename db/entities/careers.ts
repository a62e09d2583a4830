import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';

/** An application from the careers form. Belongs to no account. */
export const CareersApplication = defineEntity({
  name: 'CareersApplication',
  properties: {
    id: p.uuid().primary(),
    name: p.string().length(120),
    email: p.string().length(254),
    role: p.string().length(120).nullable(),
    message: p.text(),
    links: p.array<string>(),
    createdAt: moment(),
  },
});
