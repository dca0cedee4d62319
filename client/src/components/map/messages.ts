import { translated } from '@/lib/translated'

export const messages = translated('map', {
  pending: 'Loading the map',
  failed: 'The map cannot be shown in this browser. Everything else works without it.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  sources: 'Sources of the map',
  scrollHelp: 'Use Ctrl and the wheel to zoom the map',
  scrollHelpMac: 'Use ⌘ and the wheel to zoom the map',
  touchHelp: 'Use two fingers to move the map',
})
