import { z } from 'zod';
import { singleLine } from '../../engine/platform/text.ts';
import { singleLineText } from '../../routers/schemas.ts';

const NAME_MAX = 120;
export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 128;

const name = singleLineText(1, NAME_MAX);
const image = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(500);

/** The fields of a user at sign-up; the framework would store texts of any length and kind. */
export const SignUpFields = z.looseObject({
  name,
  email: z.email().max(254),
  password: z.string().min(PASSWORD_MIN).max(PASSWORD_MAX),
  image: image.optional(),
});

/** The same for editing. */
export const UserEdit = z.looseObject({ name: name.optional(), image: image.nullable().optional() });

/** Limits the fields of a new user, from any sign-in method: a provider's texts are cut to our lengths. */
export const boundedUser = (user: { name: string; image?: string | null | undefined }) => ({
  name: singleLine(user.name, NAME_MAX, 'Unnamed'),
  image: image.safeParse(user.image).data ?? null,
});
