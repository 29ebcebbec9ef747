import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { refetchAdmin } from './use-action.ts'

export type BulkActionName = 'release' | 'hold' | 'resubmit' | 'cancel' | 'note'

/** What became of an order; `waiting` until its turn. */
type BulkResult = { orderNumber: string; state: 'waiting' | 'done' | 'refused'; sentence: string }

export type BulkRun = { name: BulkActionName; results: readonly BulkResult[]; isRunning: boolean }

/**
 * Does to several orders what can be done to one, one after the other, each by its own call: an order that refuses stops no other, and
 * every order has its own result.
 */
export function useBulk() {
  const api = useApi()
  const queries = useQueryClient()
  const [run, setRun] = useState<BulkRun>()

  const send = (name: BulkActionName, number: string, text: string): Promise<{ done: string }> => {
    const params = { number }
    if (name === 'hold') return api('POST /api/admin/orders/:number/hold', { params, body: { reason: text } })
    if (name === 'note') return api('POST /api/admin/orders/:number/notes', { params, body: { words: text } })
    if (name === 'release') return api('POST /api/admin/orders/:number/release', { params })
    if (name === 'cancel') return api('POST /api/admin/orders/:number/cancel', { params })
    return api('POST /api/admin/orders/:number/resubmit', { params })
  }

  /** @param text the reason or note, where the action has one */
  const start = async (name: BulkActionName, numbers: readonly string[], text: string) => {
    const results: BulkResult[] = numbers.map((orderNumber) => ({ orderNumber, state: 'waiting', sentence: '' }))
    const show = (isRunning: boolean) => setRun({ name, results: [...results], isRunning })
    show(true)
    for (const [at, orderNumber] of numbers.entries()) {
      try {
        results[at] = { orderNumber, state: 'done', sentence: (await send(name, orderNumber, text)).done }
      } catch (error) {
        results[at] = { orderNumber, state: 'refused', sentence: sentenceOf(error) }
      }
      show(true)
    }
    await refetchAdmin(queries)
    show(false)
  }

  return { run, start, close: () => setRun(undefined) }
}
