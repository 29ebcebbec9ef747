import { Dialog } from '#web/ui/Dialog.tsx'
import { SizeGuide, type SizeGuideProps } from './SizeGuide.tsx'

type Props = SizeGuideProps & { open: boolean; onClose: () => void }

export const SizeGuideDialog = ({ open, onClose, ...guide }: Props) => (
  <Dialog open={open} onClose={onClose} title="Size guide">
    <SizeGuide {...guide} />
  </Dialog>
)
