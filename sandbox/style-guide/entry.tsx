import './style-guide.css'
import { createRoot } from 'react-dom/client'
import { ToastProvider } from '#web/ui/toast.tsx'
import { StyleGuide } from './StyleGuide.tsx'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <ToastProvider>
      <StyleGuide />
    </ToastProvider>,
  )
