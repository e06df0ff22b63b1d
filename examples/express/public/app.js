import { BailiwickFrontend, isBailiwickError } from '/sdk/frontend.js'

const bailiwick = new BailiwickFrontend(await (await fetch('/config.json')).json())
const element = (id) => document.getElementById(id)
let signUpId

function show(id) {
  for (const each of ['sign-in', 'verify', 'account']) element(each).hidden = each !== id
}

// Calls the app's own server as the user: token() renews the token by itself.
async function callServer(path) {
  return fetch(path, { headers: { authorization: `Bearer ${await bailiwick.token()}` } })
}

async function showAccount() {
  const response = await callServer('/api/me')
  const user = await response.json()
  element('who').textContent = `You are signed in as ${user.email}.`
  show('account')
}

// Runs what a click asks for, and shows the service's message where that fails.
const handle = (work) => async (event) => {
  event.preventDefault()
  element('problem').textContent = ''
  try {
    await work(event)
  } catch (error) {
    if (!isBailiwickError(error)) throw error
    element('problem').textContent = error.issues[0]?.message ?? error.message
  }
}

element('sign-in').addEventListener(
  'submit',
  handle(async ({ submitter, target }) => {
    const { email, password } = Object.fromEntries(new FormData(target))
    if (submitter.value === 'in') {
      await bailiwick.createSignIn({ body: { identifier: email, strategy: 'email_password', password } })
      return showAccount()
    }
    const { signUpAttempt } = await bailiwick.createSignUp({ body: { email, password } })
    signUpId = signUpAttempt.id
    await bailiwick.prepareVerification({ params: { id: signUpId }, body: { strategy: 'email_code' } })
    show('verify')
  }),
)

element('verify').addEventListener(
  'submit',
  handle(async ({ target }) => {
    const code = new FormData(target).get('code')
    await bailiwick.attemptVerification({ params: { id: signUpId }, body: { strategy: 'email_code', code } })
    await showAccount()
  }),
)

element('orders').addEventListener(
  'click',
  handle(async () => {
    const response = await callServer('/api/orders')
    element('answer').textContent = JSON.stringify(await response.json(), null, 2)
  }),
)

element('sign-out').addEventListener(
  'click',
  handle(async () => {
    await bailiwick.endOwnSessions()
    show('sign-in')
  }),
)

// Whoever is signed in already stays so.
try {
  await showAccount()
} catch (error) {
  if (!isBailiwickError(error, 'unauthenticated')) throw error
  show('sign-in')
}
