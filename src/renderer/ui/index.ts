export { cx } from './cx.ts';
export { FormatsProvider, useFormats } from './formats.ts';
export {
  focusContent,
  focusIsFree,
  keepFocus,
  changeAndFocus,
  removeAndPassFocus,
  removeAndPassFocusAsync,
} from './controls/keep-focus.ts';
export {
  Button,
  buttonClass,
  FailureAction,
  IconButton,
  LinkButton,
  FileButton,
} from './controls/buttons.tsx';
export { Checkbox, CheckboxGroup, FieldError, RadioGroup } from './controls/choices.tsx';
export {
  CampaignResults,
  PasteReport,
  MemberChips,
  MemberPicker,
  type PickerOption,
} from './controls/members.tsx';
export {
  useDelayedText,
  NumberField,
  SearchField,
  SecretField,
  TextArea,
  TextField,
} from './controls/fields.tsx';
export { NameForm } from './controls/name-form.tsx';
export { NativeSelect, Select } from './controls/select.tsx';
export {
  isApple,
  isTyping,
  keysOf,
  shortcutOf,
  shortcutWords,
  tableKeyOf,
  useWindowKeys,
} from './controls/shortcuts.ts';
export { RunningDays, WeekGrid, WeekTools } from './controls/week-grid.tsx';
export { LabelPicker, LabelChips, RemovableChip, RemovableChips } from './controls/labels.tsx';
export { ChangedText } from './display/changed-text.tsx';
export { DiffLine } from './display/diff.tsx';
export { Fingerprint, ForeignText, LongText, Money, Mono, QuotedText } from './display/values.tsx';
export { Icon, type IconName, type IconProps, type PillTone } from './display/icon.tsx';
export {
  Banner,
  type BannerTone,
  EmptyState,
  FailureBanner,
  FailureState,
  Loading,
  Skeleton,
} from './display/notices.tsx';
export {
  Badge,
  Chip,
  ChipList,
  KeyHint,
  Pill,
  StatusPill,
  ValueList,
  ProfileSign,
  TrainingSign,
} from './display/pills.tsx';
export { PictureFigure, pictureSource } from './display/picture.tsx';
export {
  Age,
  ageText,
  Countdown,
  TimeLeft,
  untilTitle,
  useHasPassed,
  useLongerThan,
  useNow,
} from './display/time.tsx';
export {
  type Definition,
  DefinitionList,
  Disclosure,
  BackLink,
  Buttons,
  Card,
  Cards,
  FoldedCard,
  GuideLink,
  ListLink,
  PageFrame,
  panelCoversMain,
  Section,
  SplitPane,
  Spread,
  Region,
} from './layout/blocks.tsx';
export { ListAndDetail, ListHeading, Tabs } from './layout/list-and-detail.tsx';
export { widthOfTexts, type TableColumn, type TablePlace } from './layout/table-columns.ts';
export { VirtualList } from './layout/virtual-list.tsx';
export { placeOfCell, useForwardedKeys, VirtualTable } from './layout/virtual-table.tsx';
export {
  Dialog,
  DialogFoot,
  FailureToast,
  modalIsOpen,
  Question,
  Toast,
  ToastCorner,
} from './overlay/dialog.tsx';
export { ContextMenu, Menu, ProfileMenu } from './overlay/menu.tsx';
export type { MenuEntry } from './overlay/menu.tsx';
export { AdmissionContent, FinePrint, Quotation } from './proposal/fine-print.tsx';
export { BatchContent } from './proposal/batch.tsx';
export { ApprovalEnded, Outdated, Rule, TargetLoader, WhatChanges } from './proposal/changes.tsx';
export { FactList, RiskFigures, riskiest } from './proposal/risk-figures.tsx';
export { ToolContent } from './proposal/tool.tsx';
export { UndoPart } from './proposal/undo-part.tsx';
export { StatePill, VerdictList } from './proposal/verdicts.tsx';
export { ConflictTable, WarningList } from './proposal/warnings.tsx';
export { default as common } from './styles/common.module.css';
export { default as pages } from './styles/pages.module.css';
