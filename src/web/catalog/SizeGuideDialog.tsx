import type { SizeRow } from '#domain/catalog/specs.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SizeGuide } from './SizeGuide.tsx'

type Props = { rows: readonly SizeRow[]; open: boolean; onClose: () => void }

export const SizeGuideDialog = ({ rows, open, onClose }: Props) => (
  <Dialog open={open} onClose={onClose} title="Size guide">
    <SizeGuide rows={rows} />
  </Dialog>
)
