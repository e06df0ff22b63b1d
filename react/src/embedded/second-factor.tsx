// The second factor: a code of an authenticator app, a recovery code, or a passkey or security key.
import { Card, Choice, CodeField, Form } from './form.tsx'
import type { StepProps } from './sign-in-form.tsx'
import { type SecondWay, findSecondWays } from './use-sign-in.ts'

const leads = { app: 'appLead', key: 'keyLead', recovery: 'recoveryLead' } as const
const choices = { app: 'useApp', key: 'useKey', recovery: 'useRecovery' } as const

export function SecondFactor({ flow, look, way }: StepProps & { readonly way: SecondWay }) {
  const { texts } = look
  const { isBusy, problems } = flow.work
  const others = flow.attempt === undefined ? [] : findSecondWays(flow.attempt).filter((other) => other !== way)
  return (
    <Card key={way} look={look} title={texts.secondTitle} lead={texts[leads[way]]} problems={problems} isNext>
      {way === 'key' ? (
        <Form look={look} isBusy={isBusy} submit={texts.continue} onSubmit={() => void flow.provePasskey()} />
      ) : (
        <Form
          look={look}
          isBusy={isBusy}
          submit={texts.continue}
          onSubmit={({ code = '' }) => void flow.proveSecond(code)}
        >
          <CodeField
            look={look}
            problems={problems}
            inputMode={way === 'app' ? 'numeric' : 'text'}
            {...(way === 'recovery' ? { label: texts.recoveryCode } : {})}
          />
        </Form>
      )}
      {others.map((other) => (
        <Choice key={other} look={look} onClick={() => flow.go({ at: 'second', way: other })}>
          {texts[choices[other]]}
        </Choice>
      ))}
      <Choice look={look} onClick={flow.restart}>
        {texts.back}
      </Choice>
    </Card>
  )
}
