// Sends the request of an example, as the reader has changed it, to the service that serves the site. Nothing is sent that is not seen in the
// form: no cookie goes along, and a credential is what was typed, kept in the page's memory.

import { readCommand } from '../reference/read-command.ts'

const answerMax = 100_000
/** What was typed, by header, so that it is typed once for a page. */
const typed = new Map<string, string>()

function addField<Tag extends 'input' | 'textarea'>(form: HTMLElement, tag: Tag, label: string, value: string) {
  const field = Object.assign(document.createElement(tag), { value, spellcheck: false, autocomplete: 'off' })
  const name = document.createElement('label')
  name.append(label, field)
  form.append(name)
  return field
}

async function send(method: string, url: string, headers: Record<string, string>, body: string | undefined) {
  const response = await fetch(url, {
    method,
    headers,
    credentials: 'omit',
    ...(body === undefined ? {} : { body }),
  })
  const text = (await response.text()).slice(0, answerMax)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return `${response.status} ${response.statusText}\n\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`
}

/** Puts a form for the request into the place of a button. */
export function showTryForm(button: HTMLElement) {
  const samples = button.closest('.samples')
  const request = readCommand(samples?.querySelector('[data-language=curl] code')?.textContent ?? '')
  const form = document.createElement('form')
  form.className = 'try-form'
  const address = addField(form, 'input', request.method, request.url)
  const secrets = request.headers
    .filter(({ value }) => value.includes('$'))
    .map(({ name, value }) => {
      const field = addField(form, 'input', `${name}: ${value.replace(/\$\w+/, '…')}`, typed.get(name) ?? '')
      field.type = 'password'
      return { name, start: value.replace(/\$\w+/, ''), field }
    })
  const body = request.body === undefined ? undefined : addField(form, 'textarea', 'Body', request.body)
  if (body !== undefined) body.rows = Math.min(16, body.value.split('\n').length + 1)
  const submit = Object.assign(document.createElement('button'), { className: 'button', textContent: 'Send' })
  const answer = Object.assign(document.createElement('pre'), { tabIndex: 0, hidden: true, role: 'status' })
  form.append(submit, answer)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const headers = Object.fromEntries(
      request.headers.filter(({ value }) => !value.includes('$')).map(({ name, value }) => [name, value]),
    )
    for (const { name, start, field } of secrets) {
      typed.set(name, field.value)
      if (field.value !== '') headers[name] = start + field.value
    }
    answer.hidden = false
    answer.textContent = 'Sending …'
    send(request.method, address.value, headers, body?.value).then(
      (text) => (answer.textContent = text),
      (error: unknown) => (answer.textContent = `The request could not be sent: ${String(error)}`),
    )
  })
  button.replaceWith(form)
  address.focus()
}
