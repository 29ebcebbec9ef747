import * as z from 'zod/mini'
import type { Cents } from '#shared/money.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { ProviderRefusal } from '../provider-errors.ts'
import {
  blankOf,
  blankShape,
  blankSummaryOf,
  blankSummaryShape,
  categoryOf,
  categoryShape,
  printAreasOf,
  printfilesShape,
  sizesShape,
  sizeTablesOf,
  type PrinterBlank,
  type PrinterBlankSummary,
  type PrinterCategory,
  type PrinterPrintArea,
  type PrinterSizeTable,
} from './blank-shapes.ts'
import { requireAnswer, type Ask } from './calls.ts'
import { envelope } from './shapes.ts'

export type { PrinterBlank, PrinterBlankSummary, PrinterCategory, PrinterPrintArea } from './blank-shapes.ts'

/** Printful's catalog of products to print on. Nobody waits in checkout for it, so all its calls are in the background. */
export type BlankCalls = {
  /** Every blank that Printful offers, hundreds of them, in one call. */
  listBlanks(): Promise<PrinterBlankSummary[]>
  listBlankCategories(): Promise<PrinterCategory[]>
  /** @param id Printful's catalog product, such as 71. @throws ProviderRefusal for an unknown one */
  getBlank(id: number): Promise<PrinterBlank>
  /** In inches and in centimeters; empty for a blank without sizes. */
  listSizeTables(id: number): Promise<PrinterSizeTable[]>
  /** @param technique such as `DTG`; null for the blank's default. Empty where the mockup generator does not know them. */
  listPrintAreas(id: number, technique: string | null): Promise<PrinterPrintArea[]>
  /** The cost of a blank with its standard print, by catalog variant id. */
  listCosts(id: number): Promise<Map<number, Cents>>
}

const background = { urgency: 'background' } as const

export function createBlankCalls(ask: Ask, report: ReportUnknownValue): BlankCalls {
  const getBlank = async (id: number) =>
    blankOf(requireAnswer(await ask('GET', `/products/${id}`, envelope(blankShape), background)).result, report)
  return {
    async listBlanks() {
      const answer = await ask('GET', '/products', envelope(z.array(blankSummaryShape)), background)
      return requireAnswer(answer).result.map(blankSummaryOf)
    },
    async listBlankCategories() {
      const list = z.array(categoryShape)
      // The description has a bare list; the API nests it.
      const answer = await ask(
        'GET',
        '/categories',
        envelope(z.union([z.object({ categories: list }), list])),
        background,
      )
      const { result } = requireAnswer(answer)
      return (Array.isArray(result) ? result : result.categories).map(categoryOf)
    },
    getBlank,
    async listSizeTables(id) {
      const answer = await ask('GET', `/products/${id}/sizes?unit=inches,cm`, envelope(sizesShape), background)
      return answer ? sizeTablesOf(answer.result, report) : []
    },
    async listPrintAreas(id, technique) {
      const path = `/mockup-generator/printfiles/${id}${technique === null ? '' : `?technique=${encodeURIComponent(technique)}`}`
      const answer = await ask('GET', path, envelope(printfilesShape), background).catch((error: unknown) => {
        if (error instanceof ProviderRefusal) return undefined
        throw error
      })
      return answer ? printAreasOf(answer.result, technique ?? '') : []
    },
    async listCosts(id) {
      const { variants } = await getBlank(id)
      return new Map(variants.flatMap(({ id, cost }) => (cost === null ? [] : [[id, cost] as const])))
    },
  }
}
