// The second factors of the signed-in user: authenticator app, recovery codes, and passkeys, which also sign in by themselves.
import type { Profile, PublicTenant } from '@bailiwick/contract'
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import { useEffect, useMemo, useState } from 'react'
import { CodeField, Form } from '../embedded/form.tsx'
import { hasPasskeys, makePasskey } from '../embedded/passkey.ts'
import { useBailiwick } from '../provider.tsx'
import { Act, Row, Rows, Section } from './parts.tsx'
import { type Panel, useFetched } from './use-panel.ts'

function useCalls() {
  const { store } = useBailiwick()
  return useMemo(
    () =>
      createFrontendClient(store.connection, {
        createAuthenticatorCode: { method: 'POST', path: '/user/totp' },
        confirmAuthenticatorCode: { method: 'POST', path: '/user/totp/confirm' },
        deleteAuthenticatorCode: { method: 'DELETE', path: '/user/totp' },
        createRecoveryCodes: { method: 'POST', path: '/user/recovery-codes' },
        listPasskeys: { method: 'GET', path: '/user/passkeys' },
        createPasskeyOptions: { method: 'POST', path: '/user/passkeys/options' },
        createPasskey: { method: 'POST', path: '/user/passkeys' },
        deletePasskey: { method: 'DELETE', path: '/user/passkeys/{id}' },
      }),
    [store],
  )
}

interface SecondFactorsProps {
  readonly panel: Panel
  readonly user: Profile
  readonly tenant: PublicTenant
  /** Fetches the user again. */
  readonly changed: () => Promise<void>
}

interface PartProps extends Pick<SecondFactorsProps, 'panel' | 'user' | 'changed'> {
  readonly calls: ReturnType<typeof useCalls>
  /** Shows recovery codes, which nobody can read again. */
  readonly showCodes: (codes: readonly string[] | undefined) => void
}

/** The light margin around a QR code, in modules, as scanners require it (ISO/IEC 18004 §6.3.8). */
const quiet = 4

/** Its library is loaded when somebody sets up an app. */
function QrCode({ label, value }: { readonly label: string; readonly value: string }) {
  const [code, setCode] = useState<{ readonly path: string; readonly size: number }>()
  useEffect(() => {
    void import('uqr').then(({ encode }) => {
      const { data, size } = encode(value, { ecc: 'M', border: quiet })
      const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
      setCode({ path, size })
    })
  }, [value])
  if (code === undefined) return null
  return (
    <svg
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      style={{ inlineSize: '11rem', background: '#fff', color: '#000' }}
    >
      <path d={code.path} fill="currentColor" />
    </svg>
  )
}

interface NewApp {
  readonly secret: string
  readonly uri: string
}

function App({ calls, changed, panel, showCodes, user }: PartProps) {
  const { act, isBusy, look, problems, words } = panel
  const [newApp, setNewApp] = useState<NewApp>()
  const isOn = user.secondFactors.includes('authenticator_code')
  const begin = () => act(async () => setNewApp(await calls.createAuthenticatorCode()))
  const confirm = ({ code = '' }: Readonly<Record<string, string>>) =>
    act(async () => {
      const { recoveryCodes } = await calls.confirmAuthenticatorCode({ body: { code } })
      setNewApp(undefined)
      showCodes(recoveryCodes)
      await changed()
    }, words.saved)
  const remove = () => act(() => calls.deleteAuthenticatorCode().then(changed), words.appRemoved)
  return (
    <Section panel={panel} title={words.app}>
      <p className={look.classes('bw-hint', 'hint')}>{isOn ? words.appOn : words.appLead}</p>
      {newApp === undefined ? (
        <Act panel={panel} label={isOn ? words.appReplace : words.appSetUp} of={words.app} onClick={begin} />
      ) : (
        <Form look={look} isBusy={isBusy} submit={words.appConfirm} onSubmit={confirm}>
          <p>{words.appScan}</p>
          <QrCode label={words.appPicture} value={newApp.uri} />
          <p>
            {words.appSecret} <code dir="ltr">{newApp.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
          <p>{words.appConfirmLead}</p>
          <CodeField look={look} problems={problems} autoFocus />
        </Form>
      )}
      {isOn && newApp === undefined && <Act panel={panel} label={words.remove} of={words.app} onClick={remove} />}
    </Section>
  )
}

function RecoveryCodes({ calls, panel, showCodes }: PartProps) {
  const { act, look, words } = panel
  const renew = () => act(async () => showCodes((await calls.createRecoveryCodes()).recoveryCodes))
  return (
    <Section panel={panel} title={words.recoveryCodes}>
      <p className={look.classes('bw-hint', 'hint')}>
        {words.recoveryLead} {words.recoveryHint}
      </p>
      <Act panel={panel} label={words.recoveryRenew} of={words.recoveryCodes} onClick={renew} />
    </Section>
  )
}

function NewCodes({
  codes,
  panel,
  showCodes,
}: Pick<PartProps, 'panel' | 'showCodes'> & { readonly codes: readonly string[] }) {
  const { look, words } = panel
  return (
    <Section panel={panel} title={words.recoveryNewTitle}>
      <p>{words.recoveryNewLead}</p>
      <ul style={{ columns: 2, margin: 0 }} dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className={look.classes('bw-button bw-secondary', 'button')}
        onClick={() => showCodes(undefined)}
      >
        {words.recoveryDone}
      </button>
    </Section>
  )
}

function Passkeys({ calls, changed, panel, showCodes }: PartProps) {
  const { act, look, words } = panel
  const [fetched, load] = useFetched(calls.listPasskeys)
  const reload = async () => {
    await load()
    await changed()
  }
  const add = () =>
    act(
      async () => {
        showCodes((await makePasskey(calls, undefined, true)).recoveryCodes)
        await reload()
      },
      words.passkeyAdded,
      [undefined, 'wrongPasskey'],
    )
  const remove = (id: string) => act(() => calls.deletePasskey({ params: { id } }).then(reload), words.passkeyRemoved)
  return (
    <Section panel={panel} title={words.passkeys}>
      <p className={look.classes('bw-hint', 'hint')}>{words.passkeysLead}</p>
      <Rows panel={panel}>
        {fetched?.passkeys.map(({ id, name, provider }) => {
          const title = name ?? provider ?? words.passkeyUnnamed
          return (
            <Row key={id} panel={panel} title={title}>
              <Act panel={panel} label={words.remove} of={title} onClick={() => remove(id)} />
            </Row>
          )
        })}
      </Rows>
      {hasPasskeys() && <Act panel={panel} label={words.passkeyAdd} of={words.passkeys} onClick={add} />}
    </Section>
  )
}

export function SecondFactors({ tenant, ...props }: SecondFactorsProps) {
  const calls = useCalls()
  const [codes, showCodes] = useState<readonly string[]>()
  const { panel, user } = props
  const parts = { ...props, calls, showCodes }
  const hasFactor = user.secondFactors.length > 0
  return (
    <>
      {codes !== undefined && <NewCodes codes={codes} panel={panel} showCodes={showCodes} />}
      {(tenant.auth['strategyAuthenticatorCodeEnabled'] === true ||
        user.secondFactors.includes('authenticator_code')) && <App {...parts} />}
      {hasFactor && <RecoveryCodes {...parts} />}
      {tenant.auth['strategySecurityKeyEnabled'] === true && <Passkeys {...parts} />}
    </>
  )
}
