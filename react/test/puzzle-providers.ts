// Stands in for Turnstile and hCaptcha: the scripts that a page loads from their addresses, and their word on an answer.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { BrowserContext } from 'playwright-core'
import { freePort } from '../../server/test/harness/free-port.ts'
import { testEnv } from '../../server/test/harness/service.ts'

export const puzzleProviders = {
  turnstile: ['https://challenges.cloudflare.com', 'https://challenges.cloudflare.com'],
  hcaptcha: ['https://js.hcaptcha.com', 'https://newassets.hcaptcha.com'],
} as const
const port = await freePort()
/** For a service that asks the verifier in place of the providers. */
export const puzzleEnv = { ...testEnv, BAILIWICK_CHALLENGE_VERIFY_URL: `http://127.0.0.1:${port}/siteverify` }

type Provider = keyof typeof puzzleProviders

/** Like theirs: it says when it is there, shows a frame, and hands the answer over. */
const widget = (provider: Provider) => `
  globalThis.${provider} = {
    render(place, { sitekey, action, callback }) {
      const frame = document.createElement('iframe')
      Object.assign(frame, { src: '${puzzleProviders[provider][1]}/w', title: 'Puzzle', width: 300, height: 65 })
      addEventListener('message', ({ origin }) => {
        if (origin === '${puzzleProviders[provider][1]}') callback(['answer to', sitekey, action].join(' '))
      })
      place.append(frame)
    },
  }
  globalThis[new URL(document.currentScript.src).searchParams.get('onload')]()`

const puzzle = `<!doctype html><html lang="en"><title>Puzzle</title>
  <main><button type="button" onclick="parent.postMessage('solved', '*')">I am a person</button></main></html>`

/** Answers what the pages of a browser ask the providers for. */
export async function serveWidgets(context: BrowserContext): Promise<void> {
  for (const provider of Object.keys(puzzleProviders) as Provider[]) {
    const [scripts, frames] = puzzleProviders[provider]
    await context.route(`${scripts}/**/api.js?*`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: widget(provider) }),
    )
    await context.route(`${frames}/w`, (route) => route.fulfill({ contentType: 'text/html', body: puzzle }))
  }
}

/** Says of each answer that it is right, for the pages of `localhost`, and keeps what it was asked. */
export async function startVerifier() {
  const asked: URLSearchParams[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      asked.push(new URLSearchParams(text))
      const verdict = { success: true, hostname: 'localhost', action: 'sign_up' }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(verdict))
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { asked, stop }
}
