import { BailiwickProvider } from '@bailiwick/react'
import { providerProps } from '@bailiwick/react/server'
import { headers } from 'next/headers'
import '@bailiwick/react/styles.css'

export default async ({ children }) => (
  <html lang="en">
    <body>
      <BailiwickProvider {...await providerProps(await headers())}>{children}</BailiwickProvider>
    </body>
  </html>
)
