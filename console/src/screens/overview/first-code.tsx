// The first code for the tenant that is open: what the guides build up step by step.
import { Fragment, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { CopyButton } from '../../values/copy.tsx'

type Values = Readonly<Record<string, string>>

const lines = (...all: readonly string[]) => all.join('\n')

const samples: Readonly<Record<string, (env: Values) => string>> = {
  Express: () =>
    lines(
      "import express from 'express'",
      "import { bailiwickAuth, requireAuth } from '@bailiwick/sdk/express'",
      '',
      'express()',
      '  .use(bailiwickAuth())',
      "  .get('/me', requireAuth(), ({ auth }, response) => response.json(auth.user))",
      "  .listen(3000, 'localhost')",
      '',
    ),
  React: (env) =>
    lines(
      "import { BailiwickProvider, Protect, SignIn, UserButton } from '@bailiwick/react'",
      "import '@bailiwick/react/styles.css'",
      "import { createRoot } from 'react-dom/client'",
      '',
      "createRoot(document.querySelector('main')).render(",
      '  <BailiwickProvider',
      `    frontendApiUrl="${env['BAILIWICK_FRONTEND_API_URL'] ?? ''}"`,
      `    publicKey="${env['BAILIWICK_PUBLIC_KEY'] ?? ''}"`,
      `    tenantId="${env['BAILIWICK_TENANT_ID'] ?? ''}"`,
      '  >',
      '    <Protect fallback={<SignIn />}>',
      '      <UserButton />',
      '    </Protect>',
      '  </BailiwickProvider>,',
      ')',
      '',
    ),
  Next: () =>
    lines(
      '// app/orders/route.js',
      "import { createAuthenticator } from '@bailiwick/sdk/server'",
      '',
      'const authenticator = createAuthenticator()',
      '',
      'export async function GET(request) {',
      '  const { user } = await authenticator.verifyRequest(request)',
      '  return Response.json({ customer: user.email })',
      '}',
      '',
    ),
  curl: (env) =>
    lines(
      `curl -s '${env['BAILIWICK_API_URL'] ?? ''}/auth/users?tenantId=${env['BAILIWICK_TENANT_ID'] ?? ''}' \\`,
      '  -H "authorization: Bearer $BAILIWICK_SECRET_KEY"',
      '',
    ),
}

const guides = { Express: 'express', React: 'react', 'Next.js': 'next' }

const GuideLinks = () =>
  Object.entries(guides).map(([title, name], index) => (
    <Fragment key={name}>
      {index > 0 ? ', ' : null}
      <a href={`/docs/quickstart-${name}/`} target="_blank">
        {title}
      </a>
    </Fragment>
  ))

export function FirstCode() {
  const { id } = useTenant()
  const { data } = useOperation('getTenantEnv', { params: { id }, query: { scope: 'public' } })
  const [name, setName] = useState('Express')
  const env = (data ?? {}) as Values
  const code = samples[name]?.(env) ?? ''
  const file = Object.entries(env)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')
  return (
    <Section
      title="Begin in an app"
      about="npm install @bailiwick/sdk, and these settings in .env beside the secret key."
    >
      <p>
        The guides build a whole app: <GuideLinks />
      </p>
      <div className="code-panel">
        <div className="code-head">
          <span className="quiet">.env</span>
          <CopyButton text={file} label="Copy settings" />
        </div>
        <pre tabIndex={0} aria-label="Settings">
          <code>{file}</code>
        </pre>
      </div>
      <div className="code-panel">
        <div className="code-head">
          <div role="group" aria-label="Framework" className="segments">
            {Object.keys(samples).map((each) => (
              <button key={each} type="button" aria-pressed={each === name} onClick={() => setName(each)}>
                {each}
              </button>
            ))}
          </div>
          <CopyButton text={code} label="Copy code" />
        </div>
        <pre tabIndex={0} aria-label="Code">
          <code>{code}</code>
        </pre>
      </div>
    </Section>
  )
}
