// What the browser runs: takes over the page that the server has rendered.
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App, type AppProps } from './app.tsx'

const root = document.querySelector('main')
if (root !== null) {
  const props = JSON.parse(root.dataset['props'] ?? '') as AppProps
  hydrateRoot(
    root,
    <StrictMode>
      <App {...props} />
    </StrictMode>,
  )
}
