// What the server of the tests runs.
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { App, type AppProps } from './app.tsx'

export const render = (props: AppProps): string =>
  renderToString(
    <StrictMode>
      <App {...props} />
    </StrictMode>,
  )
