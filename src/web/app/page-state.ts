import type { DehydratedState } from '@tanstack/react-query'
import { createContext } from 'react'
import type { HydrationState } from 'react-router'
import type { PageAssets } from '#contract/page.ts'

/** The server's data, embedded in the page as JSON: the browser starts from it and repeats no request. */
export type PageState = {
  assets: PageAssets
  origin: string
  /** For the copyright line: the server's, so hydration matches. */
  year: number
  /** The route modules of the page. */
  modules: readonly string[]
  router: Pick<HydrationState, 'loaderData' | 'errors'>
  queries: DehydratedState
}

export const STATE_ID = 'state'

type DocumentFacts = Pick<PageState, 'assets' | 'origin' | 'year'>

export const DocumentContext = createContext<DocumentFacts>({
  assets: { early: '', app: '', parts: [], styles: [], fonts: [] },
  origin: '',
  year: 0,
})
