{{- define "bailiwick.labels" -}}
app.kubernetes.io/name: bailiwick
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bailiwick.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
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
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "bailiwick.volumes" -}}
- { name: secrets, secret: { secretName: {{ .Values.existingSecret }}, defaultMode: 0440 } }
- { name: tmp, emptyDir: {} }
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* What pods of nodes and of migrations have in common. */ -}}
{{- define "bailiwick.placement" -}}
automountServiceAccountToken: false
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Fails unless all nodes see the same uploads. */ -}}
{{- define "bailiwick.checkFiles" -}}
{{- $hasBucket := hasKey .Values.env "BAILIWICK_S3_BUCKET" -}}
{{- range .Values.extraEnv -}}
{{- if eq .name "BAILIWICK_S3_BUCKET" -}}{{- $hasBucket = true -}}{{- end -}}
{{- end -}}
{{- if not (or $hasBucket .Values.files.existingClaim) -}}
{{- if not .Values.files.ephemeral -}}
{{- fail "Uploads need a place that all nodes share: set the BAILIWICK_S3_ variables in env and extraEnv, or files.existingClaim to a claim with ReadWriteMany. For a trial with one node that loses its uploads: files.ephemeral=true, replicas=1 and autoscaling.enabled=false." -}}
{{- end -}}
{{- if or .Values.autoscaling.enabled (gt (int .Values.replicas) 1) -}}
{{- fail "files.ephemeral keeps uploads in each pod, so that other nodes do not find them: set replicas=1 and autoscaling.enabled=false, or use a bucket or files.existingClaim." -}}
{{- end -}}
{{- end -}}
{{- end }}
