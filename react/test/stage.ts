// What every suite of the components needs: the service on a port, the tests' app, and Chromium.
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { createJwtVerifier } from '@bailiwick/sdk/jwt'
import type { Browser } from 'playwright-core'
import { startChromium } from '../../server/test/browser/chromium.ts'
import type { TestService } from '../../server/test/harness/service.ts'
import { initialStateOf } from '../src/server.ts'
import { type AppServer, type PageProps, startAppServer } from './app-server.ts'

/** Starts all of it before the tests of a suite, and ends it after them. */
export function setUpStage(service: () => TestService) {
  let app: AppServer
  let browser: Browser
  let servicePort: number
  before(async () => {
    await service().app.listen({ port: 0, host: '127.0.0.1' })
    servicePort = (service().app.server.address() as AddressInfo).port
    app = await startAppServer()
    browser = await startChromium()
  })
  after(async () => {
    await browser?.close()
    app?.stop()
  })
  const frontendApiUrl = () => `http://127.0.0.1:${servicePort}/frontend/api/v0`

  function createVerifier(publicKey: string) {
    const issuer = new URL('/frontend/api/v0', service().deps.config.baseUrl).href
    const jwksUrl = `${frontendApiUrl()}/.well-known/jwks.json?publicKey=${publicKey}`
    return createJwtVerifier({ jwksUrl, issuer, audience: publicKey })
  }

  return {
    get app() {
      return app
    },
    get browser() {
      return browser
    },
    get servicePort() {
      return servicePort
    },
    /** The address of the app's page. */
    home: () => `http://localhost:${app.port}/`,
    frontendApiUrl,
    createVerifier,
    /** What a server of the app knows about the user of a token. */
    readState: async (token: string, { publicKey, ...props }: PageProps) => {
      const { claims } = await createVerifier(publicKey)(token)
      const auth = { token, sessionId: claims?.sessionId ?? '', permissions: [], user: { role: null } }
      return initialStateOf(auth as never, { frontendApiUrl: props.frontendApiUrl, publicKey })
    },
  }
}
