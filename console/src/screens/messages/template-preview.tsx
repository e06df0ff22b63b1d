// What a message from a template would say, while the template is being written.
import { isBailiwickError } from '@bailiwick/sdk'
import { useId, useState } from 'react'
import { translateMessage } from '../../api/service-messages.ts'
import { useOperation } from '../../api/use-operation.ts'
import { sentence } from '../../form/field-spec.ts'
import { MarkupFrame } from '../../parts/markup-frame.tsx'
import { Section } from '../../parts/page.tsx'
import { Loading, Problem } from '../../parts/states.tsx'
import { useSettled } from '../../parts/use-settled.ts'

interface Draft {
  readonly subject: string | null
  readonly body: string
}

function variablesOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function Variables({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const id = useId()
  const isWrong = variablesOf(text) === undefined
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Sample values
      </label>
      <textarea
        id={id}
        className="code"
        rows={4}
        value={text}
        spellCheck={false}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className={isWrong ? 'field-problem' : 'hint'}>
        {isWrong ? 'This is not a JSON object yet.' : 'Over the samples that the service has: code, link, user, brand.'}
      </p>
    </div>
  )
}

export function TemplatePreview({ id, draft }: { readonly id: string; readonly draft: Draft }) {
  const [text, setText] = useState('{\n  "user": { "name": "Ada" }\n}')
  const settled = useSettled(JSON.stringify([variablesOf(text) ?? {}, draft.subject, draft.body]), 300)
  const [variables, subject, body] = JSON.parse(settled) as [Record<string, unknown>, string | null, string]
  const { data, error, isPlaceholderData } = useOperation(
    'previewTemplate',
    { params: { id }, body: { variables, subject, body } },
    { keepsLast: true, enabled: body !== '' },
  )
  const [issue] = isBailiwickError(error) ? error.issues : []
  return (
    <Section title="Preview" about="As the next message would be, with your changes.">
      {issue === undefined ? null : (
        <p className="form-problem" role="alert">
          {sentence(translateMessage(issue.message))}.
        </p>
      )}
      {error === null || issue !== undefined ? null : <Problem error={error} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data === undefined || error !== null ? null : (
        <div className="preview" aria-busy={isPlaceholderData}>
          {data.subject === null ? null : <p className="preview-subject">{data.subject}</p>}
          {data.html === null ? (
            <pre className="code" tabIndex={0} aria-label="Text">
              <code>{data.text}</code>
            </pre>
          ) : (
            <MarkupFrame title="The message" html={data.html} />
          )}
        </div>
      )}
      <Variables text={text} onChange={setText} />
    </Section>
  )
}
