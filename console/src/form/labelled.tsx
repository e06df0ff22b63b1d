// A control below its label, for the parts of a record that a form edits as one value.
import type { ReactNode } from 'react'

export function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      {children}
    </label>
  )
}
