import sharp from 'sharp'
import { z } from 'zod'

import type { Kit } from '../kit/types.ts'
import { PrintfulError } from './answers.ts'
import { mockupStyles, type Catalog } from './catalog.ts'
import { fittedPosition, render, type Library, type Position } from './library.ts'

/** The mockup generator: a task is pending for ten seconds of sandbox time; its pictures can be fetched for a day. */

const READY_AFTER_MS = 10_000
const PICTURES_KEPT_MS = 24 * 3_600_000
const WIDTH = 1000

const whole = z.number()
export const mockupBody = z.object({
  variant_ids: z.array(z.number().int()).optional(),
  format: z.string().optional(),
  width: z.number().int().optional(),
  option_groups: z.array(z.string()).optional(),
  files: z
    .array(
      z.object({
        placement: z.string(),
        image_url: z.unknown(),
        position: z
          .object({ area_width: whole, area_height: whole, width: whole, height: whole, top: whole, left: whole })
          .nullish(),
      }),
    )
    .optional(),
})
type MockupBody = z.infer<typeof mockupBody>

/** @property style the group of one besides the main picture */
type Picture = {
  name: string
  placement: string
  variantIds: number[]
  style?: string
  bytes: Buffer
  until: number
}
type Task = { key: string; status: 'pending' | 'completed' | 'failed'; error?: string; pictures: Picture[] }

export function openMockups(kit: Kit, catalog: Catalog, library: Library) {
  const tasks = new Map<string, Task>()

  function create(blankId: number, body: MockupBody): Task {
    const { variants } = catalog.detail(blankId, '')
    const { variant_ids: ids = [], files = [], format = 'jpg', width = WIDTH, option_groups: groups = [] } = body
    if (ids.length === 0) throw new PrintfulError(400, 'Missing required parameters: variant_ids')
    if (files.length === 0) throw new PrintfulError(400, 'Either files or product_template_id should be present')
    if (format !== 'jpg' && format !== 'png') throw new PrintfulError(400, 'Invalid format given')
    if (groups.some((group) => !mockupStyles.includes(group)))
      throw new PrintfulError(400, 'Invalid option groups given')
    if (width < 50 || width > 2000) throw new PrintfulError(400, 'Invalid width given')
    if (ids.some((id) => !variants.some((variant) => variant.id === id)))
      throw new PrintfulError(400, 'Variant not found for this product')
    const jobs = files.flatMap(({ placement, image_url, position }) => {
      const file = library.add(image_url, { visible: false })
      const colors = Map.groupBy(ids, (id) => variants.find((variant) => variant.id === id)?.color_code ?? null)
      return [...colors].map(([hex, variantIds]) => {
        const found = catalog.findVariant(variantIds[0] ?? 0)
        const area = found && catalog.areasOf(found.row, found.variant).find((one) => one.placement === placement)
        if (!area) throw new PrintfulError(400, `The placement ${placement} is not available for this product`)
        return { placement, file, hex, variantIds, area, position: position ?? undefined }
      })
    })
    const task: Task = { key: `gt-${tasks.size + 1}-${kit.clock.now().getTime()}`, status: 'pending', pictures: [] }
    tasks.set(task.key, task)
    kit.clock.later(READY_AFTER_MS, `mockups ${task.key}`, async () => {
      const broken = jobs.find(({ file }) => !file.image)
      if (broken) {
        task.status = 'failed'
        task.error = `The image ${broken.file.url} could not be downloaded`
        return
      }
      for (const [index, { placement, file, hex, variantIds, area, position }] of jobs.entries()) {
        const place: Position = position ?? fittedPosition(area, file)
        const prints = file.image ? [{ image: file.image, position: place }] : []
        const flat = await render(hex, prints, width, format)
        const of = { placement, variantIds, until: kit.clock.now().getTime() + PICTURES_KEPT_MS }
        const name = `mockup-${task.key}-${index}`
        task.pictures.push({ ...of, name: `${name}.${format}`, bytes: flat })
        for (const style of groups.slice(1))
          task.pictures.push({ ...of, style, name: `${name}-lifestyle.${format}`, bytes: await inARoom(flat, format) })
      }
      task.status = 'completed'
    })
    return task
  }

  return {
    create,
    get(key: string | null): Task {
      const task = tasks.get(key ?? '')
      if (!task) throw new PrintfulError(404, 'Not Found')
      return task
    },
    picture(name: string): Buffer | undefined {
      const picture = [...tasks.values()].flatMap(({ pictures }) => pictures).find((one) => one.name === name)
      return picture && picture.until > kit.clock.now().getTime() ? picture.bytes : undefined
    },
    reset: (): void => tasks.clear(),
  }
}

export type Mockups = ReturnType<typeof openMockups>

export const taskV1 = ({ key, status, error, pictures }: Task, origin: string) => ({
  task_key: key,
  status,
  ...(error && { error }),
  ...(status === 'completed' && {
    mockups: pictures
      .filter(({ style }) => style === undefined)
      .map(({ name, placement, variantIds }) => ({
        placement,
        variant_ids: variantIds,
        mockup_url: `${origin}/files/${name}`,
        extra: pictures
          .filter((one) => one.style !== undefined && one.variantIds === variantIds)
          .map((one) => ({
            title: one.style,
            url: `${origin}/files/${one.name}`,
            option: 'Front',
            option_group: one.style,
          })),
      })),
    printfiles: [],
  }),
})

/** A mockup before a wall and on a table. */
async function inARoom(flat: Buffer, format: 'png' | 'jpg'): Promise<Buffer> {
  const { width, height } = await sharp(flat).metadata()
  const [wide, high] = [Math.round(width * 1.6), Math.round(height * 1.6)]
  const table = { width: wide, height: Math.round(high / 4), channels: 3 as const, background: '#9a7350' }
  const room = sharp({ create: { width: wide, height: high, channels: 3, background: '#d9d2c5' } }).composite([
    { input: { create: table }, gravity: 'south' },
    { input: flat, gravity: 'center' },
  ])
  return format === 'jpg' ? room.jpeg().toBuffer() : room.png().toBuffer()
}
