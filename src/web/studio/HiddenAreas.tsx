import type { Blank } from '#contract/admin-blanks.ts'
import type { DraftContent } from '#domain/studio/draft.ts'
import { hiddenAreas } from '#domain/studio/placement.ts'

/** Says which drawings the product's pictures will not show, if any. */
export function HiddenAreas({ content, blank }: { content: DraftContent; blank: Blank | undefined }) {
  const names = hiddenAreas(content.placements).map(
    (area) => blank?.printAreas.find(({ placement }) => placement === area)?.title ?? area,
  )
  if (!names.length) return null
  return (
    <p className="text-sm text-ink-soft">
      Printed, but not in the shop’s own pictures: {new Intl.ListFormat('en-US').format(names)}. You can add a picture
      of it to the product once it is made.
    </p>
  )
}
