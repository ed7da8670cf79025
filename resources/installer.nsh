; The installer asks a running app to quit and waits until it has: its core may have a write under way. Without this, electron-builder's
; template ends every process below the install folder. A version that does not know the argument stays; then a person closes it.
!macro customCheckAppRunning
  ${if} ${FileExists} "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    DetailPrint "Waiting for ${PRODUCT_NAME} to finish."
    askToQuit:
    ; 0: it was not running, or it has ended. Anything else: it still runs.
    ExecWait '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --quit-for-update' $R0
    ${if} $R0 != 0
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "${PRODUCT_NAME} is still open. Close it, then try again." /SD IDCANCEL IDRETRY askToQuit
      SetErrorLevel 1
      Quit
    ${endIf}
  ${endIf}
!macroend
