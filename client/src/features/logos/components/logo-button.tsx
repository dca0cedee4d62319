import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { acceptedTypes } from '@/lib/photo-file'

type LogoButtonProps = { label: string; disabled: boolean; onChoose: (file: File) => void }

/** Opens the file chooser for one picture. */
export function LogoButton({ label, disabled, onChoose }: LogoButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={acceptedTypes}
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // Allows the same file to be selected again.
          event.target.value = ''
          if (file) onChoose(file)
        }}
      />
      <Button disabled={disabled} onClick={() => input.current?.click()}>
        <ImagePlus className="size-5" strokeWidth={1.75} aria-hidden />
        {label}
      </Button>
    </>
  )
}
