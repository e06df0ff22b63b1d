{{- define "bailiwick.labels" -}}
app.kubernetes.io/name: bailiwick
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bailiwick.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "bailiwick.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "bailiwick.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "bailiwick.env" -}}
- { name: BAILIWICK_BASE_URL, value: {{ .Values.baseUrl | quote }} }
- { name: BAILIWICK_TRUSTED_PROXIES, value: {{ .Values.trustedProxies | quote }} }
- { name: BAILIWICK_SHUTDOWN_DELAY_SECONDS, value: {{ .Values.shutdownDelaySeconds | quote }} }
- { name: BAILIWICK_MASTER_KEY_FILE, value: /run/secrets/bailiwick/master-key }
- { name: BAILIWICK_OPERATOR_KEY_FILE, value: /run/secrets/bailiwick/operator-key }
- { name: DATABASE_URL_FILE, value: /run/secrets/bailiwick/database-url }
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "bailiwick.mounts" -}}
- { name: secrets, mountPath: /run/secrets/bailiwick, readOnly: true }
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "bailiwick.volumes" -}}
- { name: secrets, secret: { secretName: {{ .Values.existingSecret }}, defaultMode: 0440 } }
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
{{- end }}
