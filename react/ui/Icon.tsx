/** Icons beside words. They add nothing to the words, so they are hidden from screen readers. */
const circle = 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15Z'

const strokes = {
  check: ['M4.5 10.5 8.5 14.5 15.5 6'],
  copy: [
    'M5 7.5h6A1.5 1.5 0 0 1 12.5 9v6a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15V9A1.5 1.5 0 0 1 5 7.5Z',
    'M7.5 7.5V5A1.5 1.5 0 0 1 9 3.5h6A1.5 1.5 0 0 1 16.5 5v6a1.5 1.5 0 0 1-1.5 1.5h-2.5',
  ],
  cross: ['M5.5 5.5l9 9', 'M14.5 5.5l-9 9'],
  error: [circle, 'M10 6v5', 'M10 13.8v.2'],
  hide: [
    'M3.5 3.5l13 13',
    'M8.6 5.2A7.6 7.6 0 0 1 10 5c4 0 6.7 3.2 7.5 5-.3.7-.9 1.6-1.8 2.5',
    'M5.4 6.8C3.8 7.8 2.9 9.2 2.5 10c.8 1.8 3.5 5 7.5 5 1.3 0 2.4-.3 3.4-.8',
    'M8.4 8.4a2.3 2.3 0 0 0 3.2 3.2',
  ],
  info: [circle, 'M10 9.2V14', 'M10 6.2V6'],
  lock: [
    'M5.5 9h9a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 4 15.5v-5A1.5 1.5 0 0 1 5.5 9Z',
    'M6.5 9V6.8a3.5 3.5 0 0 1 7 0V9',
  ],
  show: [
    'M2.5 10c.8-1.8 3.5-5 7.5-5s6.7 3.2 7.5 5c-.8 1.8-3.5 5-7.5 5s-6.7-3.2-7.5-5Z',
    'M10 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z',
  ],
  warning: [
    'M8.7 3.7 2.4 14.6A1.5 1.5 0 0 0 3.7 17h12.6a1.5 1.5 0 0 0 1.3-2.4L11.3 3.7a1.5 1.5 0 0 0-2.6 0Z',
    'M10 8v3.5',
    'M10 13.8v.2',
  ],
} as const

export type IconName = keyof typeof strokes

export const Icon = ({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    aria-hidden="true"
    focusable="false"
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    {strokes[name].map((stroke) => (
      <path key={stroke} d={stroke} />
    ))}
  </svg>
)
