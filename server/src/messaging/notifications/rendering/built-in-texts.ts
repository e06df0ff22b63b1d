// The service's own wording, which needs no other process to be read in: it is known to take no time, whatever it is told.
import { templates } from '../default-templates.ts'
import { defaultMessages } from '../default-messages.ts'

const wordings = [...templates, ...Object.values(defaultMessages).flatMap(({ email, text }) => [email, text])]

/** Subjects and bodies; a tenant's template that says the same is as good. */
export const builtInTexts: ReadonlySet<string> = new Set(wordings.flatMap(({ subject, body }) => [subject ?? '', body]))
