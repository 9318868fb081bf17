# SPDX-License-Identifier: Apache-2.0
"""Panels and dashboards of Grafana's JSON model, as plain dictionaries."""

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
SCHEMA_VERSION = 39
WIDTH = 24  # of Grafana's grid
NEEDS_PMU = " (needs PMU)"
NEEDS_QUEUES = " (needs several queues)"
_NOTES = {
    NEEDS_PMU: " Empty on hosts without a hardware PMU, such as most virtual machines; the panels of CPU time work there.",
    NEEDS_QUEUES: " Only of hardware devices with several receive queues whose packets are counted by queue: by the driver, "
                  "or by `nettoll serve --queues`.",
}


def target(expr, legend="", instant=False, ref="A"):
    """One query of a panel."""
    made = {"datasource": DATASOURCE, "editorMode": "code", "expr": expr, "refId": ref, "range": not instant,
            "instant": instant}
    if instant:
        made["format"] = "table"
    else:
        made["format"] = "time_series"
        made["legendFormat"] = legend
    return made


def _targets(queries, instant=False):
    return [target(expr, legend, instant, chr(ord("A") + i)) for i, (expr, legend) in enumerate(queries)]


def _panel(kind, title, description, unit, queries, needs="", size=(12, 8), instant=False):
    """`needs`: NEEDS_PMU, NEEDS_QUEUES or nothing; the title and the description say so."""
    if needs:
        title, description = title + needs, description + _NOTES[needs]
    return {"type": kind, "title": title, "description": description, "datasource": DATASOURCE,
            "gridPos": {"h": size[1], "w": size[0], "x": 0, "y": 0},
            "fieldConfig": {"defaults": {"unit": unit}, "overrides": []}, "options": {},
            "targets": _targets(queries, instant)}


def graph(title, description, unit, queries, stack=False, **options):
    """Lines over time; queries are pairs of expression and legend."""
    made = _panel("timeseries", title, description, unit, queries, **options)
    defaults = made["fieldConfig"]["defaults"]
    defaults.update(min=0, color={"mode": "palette-classic"})
    defaults["custom"] = {"drawStyle": "line", "fillOpacity": 25 if stack else 5, "lineWidth": 1, "showPoints": "never",
                          "spanNulls": False, "stacking": {"mode": "normal" if stack else "none", "group": "A"}}
    made["options"] = {"legend": {"displayMode": "table", "placement": "bottom", "showLegend": True,
                                  "calcs": ["mean", "max"]},
                       "tooltip": {"mode": "multi", "sort": "desc"}}
    return made


def stat(title, description, unit, expr, warn=None, legend="{{instance}}", size=(6, 4), **options):
    """The newest value as a number for each series; from `warn` on it is shown in red."""
    made = _panel("stat", title, description, unit, [(expr, legend)], size=size, **options)
    steps = [{"color": "green", "value": None}] + ([{"color": "red", "value": warn}] if warn is not None else [])
    made["fieldConfig"]["defaults"].update(thresholds={"mode": "absolute", "steps": steps}, color={"mode": "thresholds"})
    made["options"] = {"reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}, "colorMode": "value",
                       "graphMode": "area", "justifyMode": "auto", "orientation": "auto", "textMode": "auto"}
    return made


def heatmap(title, description, unit, expr, legend, rows, **options):
    """A row for each series, in the order of the numbers that are their legends; `rows` says what a row is."""
    made = _panel("heatmap", title, description, unit, [(expr, legend)], **options)
    made["fieldConfig"]["defaults"]["custom"] = {"scaleDistribution": {"type": "linear"}}
    made["options"] = {"calculate": False, "cellGap": 1, "cellValues": {"unit": unit}, "rowsFrame": {"layout": "auto"},
                       "color": {"mode": "scheme", "scheme": "Oranges", "scale": "linear", "fill": "dark-orange",
                                 "exponent": 0.5, "steps": 64, "reverse": False, "min": 0},
                       "exemplars": {"color": "rgba(255,0,255,0.7)"}, "filterValues": {"le": 1e-9},
                       "legend": {"show": True}, "showValue": "never",
                       "tooltip": {"mode": "single", "showColorScale": False, "yHistogram": False},
                       "yAxis": {"axisLabel": rows, "axisPlacement": "left", "reverse": False, "unit": "none"}}
    return made


def bars(title, description, unit, expr, legend, size=(12, 10), **options):
    """A bar for each series, longest first; the query is asked once, over the whole range that is shown."""
    made = _panel("bargauge", title, description, unit, [(expr, legend)], size=size, **options)
    made["targets"][0].update(instant=True, range=False, legendFormat=legend, format="time_series")
    made["fieldConfig"]["defaults"].update(min=0, color={"mode": "continuous-BlYlRd"})
    made["options"] = {"displayMode": "gradient", "orientation": "horizontal", "showUnfilled": True,
                       "valueMode": "color", "namePlacement": "auto", "sizing": "auto", "minVizWidth": 8,
                       "minVizHeight": 16, "maxVizHeight": 300,
                       "legend": {"displayMode": "list", "placement": "bottom", "showLegend": False, "calcs": []},
                       "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}}
    return made


def table(title, description, columns, hide=(), size=(24, 10), **options):
    """A table of instant queries: `columns` are triples of expression, heading and unit, joined by their labels. The last
    column's unit is the panel's; rows are in the order of the first column's value, highest first."""
    made = _panel("table", title, description, columns[-1][2], [(expr, "") for expr, _, _ in columns], instant=True,
                  size=size, **options)
    several = len(columns) > 1
    values = [f"Value #{chr(ord('A') + i)}" if several else "Value" for i in range(len(columns))]
    made["fieldConfig"]["overrides"] = [
        {"matcher": {"id": "byName", "options": heading}, "properties": [{"id": "unit", "value": unit}]}
        for _, heading, unit in columns]
    made["transformations"] = [{"id": "merge", "options": {}}] if several else []
    made["transformations"].append({"id": "organize", "options": {
        "excludeByName": {name: True for name in ["Time", *hide]}, "indexByName": {},
        "renameByName": {value: heading for value, (_, heading, _) in zip(values, columns)}}})
    made["fieldConfig"]["defaults"]["custom"] = {"align": "auto", "filterable": True, "inspect": False,
                                                 "cellOptions": {"type": "auto"}}
    made["options"] = {"cellHeight": "sm", "showHeader": True, "sortBy": [{"displayName": columns[0][1], "desc": True}]}
    return made


def text(title, content, size=(24, 3)):
    """Words in Markdown."""
    return {"type": "text", "title": title, "description": "What this dashboard shows and where it stays empty.",
            "gridPos": {"h": size[1], "w": size[0], "x": 0, "y": 0}, "transparent": True,
            "options": {"mode": "markdown", "content": content}}


def row(title, panels, repeat=None):
    """A heading and its panels; with `repeat` once for each value of that variable."""
    made = {"type": "row", "title": title, "collapsed": False, "panels": [], "gridPos": {"h": 1, "w": WIDTH, "x": 0, "y": 0}}
    if repeat:
        made["repeat"] = repeat
    return [made, *panels]


def _variable(name, label, query, hide=False, all_value=".+"):
    return {"type": "query", "name": name, "label": label, "datasource": DATASOURCE,
            "query": {"query": query, "refId": "PrometheusVariableQueryEditor-VariableQuery"}, "refresh": 2, "sort": 1,
            "multi": True, "includeAll": True, "allValue": all_value, "regex": "", "options": [],
            "current": {"selected": True, "text": ["All"], "value": ["$__all"]}, "hide": 2 if hide else 0,
            "skipUrlSync": False}


def _variables(device_hidden):
    at = 'job=~"$job", instance=~"$instance"'
    return [
        {"type": "datasource", "name": "datasource", "label": "Data source", "query": "prometheus", "regex": "",
         "options": [], "hide": 0, "includeAll": False, "multi": False, "refresh": 1,
         "skipUrlSync": False},
        _variable("job", "Job", "label_values(nettoll_build_info, job)"),
        _variable("instance", "Instance", 'label_values(nettoll_build_info{job=~"$job"}, instance)'),
        # All: what has no device too.
        _variable("device", "Device", 'label_values({__name__=~"nettoll_(napi_packets|drops|layer_drops)_total", '
                  f'{at}}}, device)', hide=device_hidden, all_value=".*"),
    ]


def _annotations():
    return {"list": [
        {"builtIn": 1, "datasource": {"type": "grafana", "uid": "-- Grafana --"}, "enable": True, "hide": True,
         "iconColor": "rgba(0, 211, 255, 1)", "name": "Annotations & Alerts", "type": "dashboard"},
        {"datasource": DATASOURCE, "enable": True, "hide": False, "iconColor": "orange", "name": "Findings",
         "target": {"expr": 'nettoll_finding{job=~"$job", instance=~"$instance", severity!="note"}', "refId": "Anno",
                    "interval": "30s"},
         "titleFormat": "{{id}}", "textFormat": "{{severity}}: {{subject}} of {{instance}}", "tagKeys": "severity,id",
         "useValueForTime": False}]}


def _place(panels):
    """Left to right, a new line where a panel does not fit or a row begins."""
    x = y = height = 0
    for number, panel in enumerate(panels, 1):
        panel["id"] = number
        grid = panel["gridPos"]
        if x + grid["w"] > WIDTH or panel["type"] == "row":
            x, y, height = 0, y + height, 0
        grid["x"], grid["y"] = x, y
        x, height = x + grid["w"], max(height, grid["h"])
        if panel["type"] == "row":
            x, y, height = 0, y + height, 0
    return panels


def dashboard(uid, title, description, *parts, uses_device=True):
    """A dashboard of panels and lists of panels. Where no panel is of a device its variable is hidden, and kept, so that
    links carry it on."""
    panels = [panel for part in parts for panel in (part if isinstance(part, list) else [part])]
    return {
        "uid": uid, "title": title, "description": description, "tags": ["nettoll"], "schemaVersion": SCHEMA_VERSION,
        "version": 1, "editable": True, "fiscalYearStartMonth": 0, "graphTooltip": 1, "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"}, "timepicker": {}, "timezone": "browser", "weekStart": "", "liveNow": False,
        "links": [{"type": "dashboards", "title": "nettoll", "tags": ["nettoll"], "asDropdown": False, "icon": "external link",
                   "includeVars": True, "keepTime": True, "targetBlank": False, "tooltip": "", "url": ""}],
        "templating": {"list": _variables(not uses_device)}, "annotations": _annotations(), "panels": _place(panels),
    }
