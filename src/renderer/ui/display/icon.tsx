import {
  ArrowDown,
  ArrowRight,
  ArrowUp,
  ArrowUpDown,
  BookLock,
  Bell,
  Bookmark,
  Bot,
  CalendarDays,
  ChartColumn,
  CalendarClock,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronsUpDown,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  Clock,
  Columns3,
  Copy,
  Download,
  FileSpreadsheet,
  Ellipsis,
  ExternalLink,
  EyeOff,
  Eye,
  FilePen,
  Filter,
  Flag,
  GraduationCap,
  IdCard,
  Image,
  Info,
  Keyboard,
  Lock,
  Megaphone,
  Minus,
  Monitor,
  Moon,
  PanelRight,
  OctagonPause,
  Maximize2,
  Pause,
  Pencil,
  Play,
  Plus,
  Printer,
  Redo2,
  RefreshCw,
  RotateCcw,
  Rows3,
  Search,
  SearchX,
  ShieldCheck,
  Stamp,
  Star,
  Stethoscope,
  StickyNote,
  Settings,
  Sun,
  Tag,
  ThumbsDown,
  ThumbsUp,
  Trash,
  TriangleAlert,
  Undo2,
  Unplug,
  X,
} from 'lucide-react';
import type { ReactElement } from 'react';
import styles from './values.module.css';

const icons = {
  agents: Bot,
  alerts: Bell,
  settings: Settings,
  'alert-circle': CircleAlert,
  'arrow-down': ArrowDown,
  'arrow-right': ArrowRight,
  'arrow-up': ArrowUp,
  calendar: CalendarDays,
  bad: ThumbsDown,
  campaigns: Megaphone,
  check: Check,
  'check-circle': CircleCheck,
  'chevron-down': ChevronDown,
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  clock: Clock,
  close: X,
  columns: Columns3,
  copy: Copy,
  doctor: Stethoscope,
  drafts: FilePen,
  download: Download,
  file: FileSpreadsheet,
  exclude: EyeOff,
  edit: Pencil,
  external: ExternalLink,
  filter: Filter,
  flag: Flag,
  good: ThumbsUp,
  help: CircleHelp,
  info: Info,
  keyboard: Keyboard,
  label: Tag,
  ledger: BookLock,
  lock: Lock,
  minus: Minus,
  monitor: Monitor,
  moon: Moon,
  more: Ellipsis,
  note: StickyNote,
  offline: Unplug,
  panel: PanelRight,
  expand: Maximize2,
  'emergency-stop': OctagonPause,
  pause: Pause,
  play: Play,
  picture: Image,
  plus: Plus,
  print: Printer,
  profiles: IdCard,
  proposals: Stamp,
  redo: Redo2,
  refresh: RefreshCw,
  reports: ChartColumn,
  remove: Trash,
  reset: RotateCcw,
  rows: Rows3,
  schedules: CalendarClock,
  search: Search,
  'search-none': SearchX,
  'shield-check': ShieldCheck,
  sort: ChevronsUpDown,
  'sort-changes': ArrowUpDown,
  start: Star,
  sun: Sun,
  training: GraduationCap,
  undo: Undo2,
  views: Bookmark,
  warning: TriangleAlert,
  watch: Eye,
} as const;

/** The icons of the product, by meaning. */
export type IconName = keyof typeof icons;

/** The weight of a state; never its only sign: a word is beside it. */
export type PillTone = 'neutral' | 'good' | 'waiting' | 'bad' | 'busy';

export interface IconProps {
  name: IconName;
  size?: 12 | 14 | 16 | 20 | 28;
  /** Without one it has the colour of the text around it. */
  tone?: PillTone;
}

/** One icon of one stroke width. Decorative: a word is beside it or on its control. */
export function Icon({ name, size = 16, tone }: IconProps): ReactElement {
  const Glyph = icons[name];
  return (
    <Glyph
      aria-hidden
      className={tone && styles[tone]}
      size={size}
      strokeWidth={1.75}
      absoluteStrokeWidth={size > 16}
    />
  );
}
