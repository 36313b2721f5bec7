# Plots the table of `awend-bench -f table1/` as SVG, with the functions of plot.awk.
#
# Solid lines are measurements; dashed lines through the largest size have the exponent of Table 1, or of the operation count of an update.
BEGIN {
  FS = " *[|] *"
  panels = split("n d update", panel, " ")
  title["n"] = "A layer: ms a sentence, by its length n"
  title["d"] = "A layer: ms a sentence of 128, by width d"
  title["update"] = "An update: ms, by n, d and vocabulary V"
  kind["scores"] = kind["update over n"] = 1
  kind["projections"] = kind["update over d"] = 2
  kind["recurrent"] = kind["update over V"] = 3
  kind["restricted"] = kind["restricted-update over n"] = 4
  kind["convolution"] = 5
}

/^(device|driver|threads|load): / { facts = facts (facts ? ", " : "") $0 }

# A measured point, its series and its panel.
$2 ~ /=[0-9]+$/ {
  split($2, part, /[ =]/)
  update = part[1] ~ /update$/
  series = part[1] " over " part[2]
  where = update ? "update" : part[2]
  milliseconds = update ? $3 : $4 / 1000
  add_point(where, series, part[3], milliseconds)
}

$2 ~ / over [ndV]$/ { exponent[$2] = $5; counted[$2] = $7 }

function curve(p, name, style,  last, slope, begin) {
  measured(p, name, style)
  last = points[name]; slope = counted[name]; begin = x[name, 1]
  # A dashed line ends where it leaves the panel.
  if (slope > 0 && y[name, last] - slope * (x[name, last] - begin) < least_y[p])
    begin = x[name, last] - (y[name, last] - least_y[p]) / slope
  line(across(p, begin), up(p, y[name, last] - slope * (x[name, last] - begin)), across(p, x[name, last]), \
    up(p, y[name, last]), "s" style, color[style], " stroke-dasharray=\"4 4\"")
}

function draw(p,  names, count, i, short, axis, row, number) {
  text(origin + width / 2, top - 14, "middle", "ink", title[p])
  axes(p)
  count = split(members[p], names, ";")
  for (i = 1; i <= count; ++i) {
    short = names[i]; axis = names[i]
    sub(/ over .*/, "", short); sub(/.* over /, "", axis)
    row = p == "update" ? top + height - 14 - 17 * (count - i) : top + 4 + 17 * i
    number = kind[p == "update" ? names[i] : short]
    curve(p, names[i], number)
    legend(row, p == "update" ? "right" : "left", number, short " " axis "<tspan dy=\"-5\" font-size=\"9\">" exponent[names[i]] \
      "</tspan><tspan dy=\"5\" dx=\"6\">(" axis "</tspan><tspan dy=\"-5\" font-size=\"9\">" counted[names[i]] "</tspan><tspan dy=\"5\">)</tspan>")
  }
}

END {
  if (!("n" in members) || !("d" in members) || !("update" in members)) {
    print "table1.awk: not the whole table" > "/dev/stderr"
    exit 1
  }
  begin_page(panels, "What a layer and an update cost",
    "Lines: measured, with the fitted exponent. Dashes and brackets: the exponent of Table 1, or of the operations counted.", facts)
  for (i = 1; i <= panels; ++i) { panel_at(i); draw(panel[i]) }
  end_page()
}
