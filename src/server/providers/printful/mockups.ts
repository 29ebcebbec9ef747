import * as z from 'zod/mini'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { requireAnswer, type Ask } from './calls.ts'
import { envelope, text, word } from './shapes.ts'

/** Where a file lies in a placement's print area, in pixels of the area. */
type MockupFile = {
  placement: string
  url: string
  position: { areaWidth: number; areaHeight: number; width: number; height: number; top: number; left: number }
}

type MockupRequest = {
  variantIds: readonly number[]
  files: readonly MockupFile[]
  /** Of the pictures, in pixels: 50 to 2000. */
  width: number
  /** Of `listMockupStyles`; without, Printful chooses one. */
  styles?: readonly string[]
  options?: readonly { id: string; value: string | boolean | readonly string[] }[]
}

/**
 * A picture of a blank with the drawing on it. Its address ends within a day: download it at once.
 * @property style empty for the main picture of its variants
 */
export type Mockup = { placement: string; variantIds: number[]; url: string; style: string }

type MockupTask = { state: 'pending' } | { state: 'completed'; mockups: Mockup[] } | { state: 'failed'; reason: string }

export type MockupCalls = {
  /** Such as `Flat` and `Men's Lifestyle`; empty where the generator does not know the blank. */
  listMockupStyles(blankId: number): Promise<string[]>
  /**
   * Starts to make pictures. Allowed a few times a minute; waits up to three minutes for its turn.
   * @returns the key of the task; ask for it after ten seconds at the earliest
   * @throws ProviderRefusal with Printful's sentence
   */
  startMockups(blankId: number, request: MockupRequest): Promise<string>
  /** @throws ProviderRefusal for an unknown task */
  getMockups(taskKey: string): Promise<MockupTask>
}

const taskShape = z.object({
  task_key: z.string(),
  status: z.string(),
  error: text,
  mockups: z.nullish(
    z.array(
      z.object({
        placement: word,
        variant_ids: z.nullish(z.array(z.int())),
        mockup_url: word,
        extra: z.nullish(z.array(z.object({ title: text, url: word, option_group: text }))),
      }),
    ),
  ),
})

const stylesShape = z.object({ option_groups: z.nullish(z.array(z.string())) })

export function createMockupCalls(ask: Ask, report: ReportUnknownValue): MockupCalls {
  return {
    async listMockupStyles(blankId) {
      const path = `/mockup-generator/printfiles/${blankId}`
      const answer = await ask('GET', path, envelope(stylesShape), { urgency: 'background', isOptional: true })
      return answer?.result.option_groups ?? []
    },
    async startMockups(blankId, { variantIds, files, width, styles, options }) {
      const body = {
        variant_ids: variantIds,
        format: 'jpg',
        width,
        ...(styles?.length && { option_groups: styles }),
        ...(options?.length && { product_options: Object.fromEntries(options.map(({ id, value }) => [id, value])) }),
        files: files.map(({ placement, url, position }) => ({
          placement,
          image_url: url,
          position: {
            area_width: position.areaWidth,
            area_height: position.areaHeight,
            width: position.width,
            height: position.height,
            top: position.top,
            left: position.left,
          },
        })),
      }
      const path = `/mockup-generator/create-task/${blankId}`
      const answer = await ask('POST', path, envelope(taskShape), { urgency: 'background', own: 'mockup', body })
      return requireAnswer(answer).result.task_key
    },
    async getMockups(taskKey) {
      const path = `/mockup-generator/task?task_key=${encodeURIComponent(taskKey)}`
      const { result } = requireAnswer(await ask('GET', path, envelope(taskShape), { urgency: 'background' }))
      if (result.status === 'failed') return { state: 'failed', reason: result.error ?? '' }
      if (result.status === 'completed') return { state: 'completed', mockups: mockupsOf(result) }
      if (result.status !== 'pending') report('mockup status', result.status)
      return { state: 'pending' }
    },
  }
}

/** Each mockup's main picture first, then its other styles. */
const mockupsOf = ({ mockups }: z.output<typeof taskShape>): Mockup[] =>
  (mockups ?? []).flatMap(({ placement, variant_ids, mockup_url, extra }) =>
    [
      { url: mockup_url, style: '' },
      ...(extra ?? []).map(({ url, title, option_group }) => ({ url, style: option_group ?? title ?? '' })),
    ].flatMap(({ url, style }) =>
      url ? [{ placement: placement ?? '', variantIds: variant_ids ?? [], url, style }] : [],
    ),
  )
