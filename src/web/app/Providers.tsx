import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Api } from '#web/api/client.ts'
import { ApiContext } from '#web/api/use-api.ts'
import { DocumentContext, type PageState } from './page-state.ts'

type Props = Pick<PageState, 'assets' | 'origin' | 'year'> & { api: Api; queries: QueryClient; children: ReactNode }

/** Shared by the browser and the server. */
export function Providers({ api, queries, assets, origin, year, children }: Props) {
  return (
    <DocumentContext value={{ assets, origin, year }}>
      <ApiContext value={api}>
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </ApiContext>
    </DocumentContext>
  )
}
