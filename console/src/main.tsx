import './styles/console.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { finishSignIn } from './session/signed-in-window.ts'
import { router } from './shell/router.tsx'
import { applyTheme } from './shell/theme.ts'

/** The SDK tries again by itself where that can help. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, gcTime: 5 * 60_000 },
    // Neither is kept: what was sent may hold passwords, and what came back may hold keys.
    mutations: { retry: false, gcTime: 0 },
  },
})

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
