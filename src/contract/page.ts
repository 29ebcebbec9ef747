import type { Language } from '#shared/language.ts'
import type { PublicConfig } from './public-config.ts'

/** The built bundle's files. `early` runs before the first paint; `app`, made of `parts`, after it. */
export type PageAssets = { early: string; app: string; parts: string[]; styles: string[]; fonts: string[] }

/** Calls one of the shop's own GET endpoints in process. @returns the status and the parsed body */
export type ShopRequest = (path: string) => Promise<{ status: number; body: unknown }>

/** To be sent one after the other; parts shared by many pages are already bytes. */
type PagePieces = readonly (string | Uint8Array)[]

/** The renderer's result for a URL. */
export type RenderedPage =
  | { kind: 'page'; status: number; html: PagePieces; cacheable: boolean }
  | { kind: 'redirect'; status: number; location: string }

export type PageRequest = {
  /** Path and query, without the language. */
  url: string
  language: Language
  /** Origin for absolute links, such as canonical URLs. */
  origin: string
  ask: ShopRequest
  assets: (modules: readonly string[]) => PageAssets
  config: PublicConfig
  /** Of the copyright line. */
  year: number
}

/** The interface between server and renderer: the server loads the built bundle and calls this. */
export type Renderer = {
  /** Whether the page at a URL is the same for every visitor. */
  isShared(path: string): boolean
  render(request: PageRequest): Promise<RenderedPage>
}
