import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { finishSignIn } from './session/signed-in-window.ts'
import { router } from './shell/router.tsx'
import { applyTheme } from './shell/theme.ts'
import './styles/console.css'

applyTheme()
const place = document.getElementById('console')
if (place !== null && !finishSignIn()) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
