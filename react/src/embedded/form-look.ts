// The look and the texts of the embedded forms.
import type { Appearance } from '../appearance.ts'
import { type Look, useLook } from '../look.ts'
import type { Texts } from '../texts/catalogue.ts'
import enForms from '../texts/en-forms.json' with { type: 'json' }

export type FormLook = Look<Texts>

export function useFormLook(appearance: Appearance | undefined): FormLook {
  const look = useLook(appearance)
  return { ...look, texts: { ...enForms, ...look.texts } }
}
